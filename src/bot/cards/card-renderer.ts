import type { Tipping } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Message } from '../messages/message.ts'
import type { Links } from '../pay-pages/links.ts'
import type { MessageRef } from '../transport/messenger.ts'

/** How cards of one kind look: their record's view as a message. */
export interface CardRenderer {
  draw(tipping: Tipping, record: string): Promise<Drawable>
  /** How long a card rests after it was drawn, before it is drawn again, however often its record changes meanwhile. */
  readonly restMs: number
}

/**
 * How to announce a change to a private card whose answer can no longer be edited: by private message, or not at all
 * because another card tells it.
 */
export type LatePolicy = 'message' | 'silence'

/** A view before the language of its message is known. */
export interface Drawable {
  in(t: Translator, links: Links): Promise<Drawing>
  /** The card of the command that began all this, for a card with its own message. */
  readonly about?: string
  readonly late: LatePolicy
  /** The message that it answers, for a card that stands below somebody else's. */
  readonly answers?: MessageRef
  /** Payer and recipients, who get a private message if a channel cannot show it. */
  readonly people: readonly string[]
}

export interface Drawing {
  readonly message: Message
  /** Said once, after the card was shown for the first time. */
  readonly after?: readonly Message[]
  /**
   * Discord notifies nobody of an edit, and the answer to a deferred command is one. So this is said below such an answer,
   * unless the acknowledgement has notified everybody already.
   */
  readonly bell?: Message
  /** The message without what people wrote, where a server's AutoMod does not let that be said. */
  readonly bare?: Message
}

/** A renderer that loads a view and draws it. */
export function renderCard<View>(spec: {
  load(tipping: Tipping, record: string): Promise<View>
  draw(view: View, t: Translator, links: Links): Drawing | Promise<Drawing>
  about?(view: View): string | undefined
  answers?(view: View): MessageRef
  people?(view: View): readonly string[]
  /** By private message, where nothing is said. */
  late?(view: View): LatePolicy
  restMs?: number
}): CardRenderer {
  return {
    restMs: spec.restMs ?? 0,
    async draw(tipping, record) {
      const view = await spec.load(tipping, record)
      return {
        in: async (t, links) => await spec.draw(view, t, links),
        late: spec.late?.(view) ?? 'message',
        about: spec.about?.(view),
        answers: spec.answers?.(view),
        people: [...new Set(spec.people?.(view) ?? [])],
      }
    },
  }
}
