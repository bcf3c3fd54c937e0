import type { Tipping } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Message } from '../messages/message.ts'
import type { Links } from '../pay-pages/links.ts'
import type { MessageRef } from '../transport/messenger.ts'

/** Draws one kind of card: its record's view as a message. */
export interface CardRenderer {
  draw(tipping: Tipping, record: string): Promise<Drawable>
  /** The shortest time between two drawings of a card, even if its record changes more often. */
  readonly restMs: number
}

/**
 * The way in which a change to a private card is announced when its answer can no longer be edited: by private message,
 * or not at all because another card shows the change.
 */
export type LatePolicy = 'message' | 'silence'

/** A card that is ready to be drawn in any language. */
export interface Drawable {
  in(t: Translator, links: Links): Promise<Drawing>
  /** The card of the command that caused this card, if this card has its own message. */
  readonly about?: string
  readonly late: LatePolicy
  /** The message that the card answers, for a card below somebody else's message. */
  readonly answers?: MessageRef
  /** The payer and the recipients. They get a private message if a channel cannot show the card. */
  readonly people: readonly string[]
}

export interface Drawing {
  readonly message: Message
  /** Messages that are sent once, after the card is first shown. */
  readonly after?: readonly Message[]
  /**
   * A message that notifies people below a deferred command's answer, because that answer arrives as an edit, of which
   * Discord notifies nobody. Not sent if the acknowledgement has already notified everybody.
   */
  readonly bell?: Message
  /** The message without people's own texts, which is sent if a server's AutoMod forbids those texts. */
  readonly bare?: Message
}

/** Creates a renderer that loads a view and draws it. */
export function renderCard<View>(spec: {
  load(tipping: Tipping, record: string): Promise<View>
  draw(view: View, t: Translator, links: Links): Drawing | Promise<Drawing>
  about?(view: View): string | undefined
  answers?(view: View): MessageRef
  people?(view: View): readonly string[]
  /** Returns how a late change is announced. Default: by private message. */
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
