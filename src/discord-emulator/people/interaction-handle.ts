import type { Core } from '../core/core.ts'
import type { InteractionView, MessageView } from '../views.ts'
import type { InteractionRecord } from '../world/records.ts'

/** One interaction as its person follows it. */
export class InteractionHandle {
  readonly id: string
  readonly #core: Core
  readonly #interaction: InteractionRecord

  constructor(core: Core, interaction: InteractionRecord) {
    this.id = interaction.id
    this.#core = core
    this.#interaction = interaction
  }

  /** How it stands now. */
  view(): InteractionView {
    return this.#core.seen.interaction(this.#interaction)
  }

  /** The messages that answered and still exist, the first answer first; a used component's message is not one. */
  messages(): MessageView[] {
    const { channelId, messageIds } = this.#interaction
    return messageIds.flatMap((id) => {
      const message = this.#core.world.message(channelId, id)
      return message === undefined ? [] : [this.#core.seen.message(message)]
    })
  }

  /** Resolves at the bot's first response, a defer included, or when the 3 seconds are over. Never rejects. */
  acknowledged(): Promise<InteractionView> {
    return this.#until((state) => state !== 'waiting')
  }

  /** Resolves when there is an answer to see (after a defer: when it is filled in), or at failure. Never rejects. */
  answered(): Promise<InteractionView> {
    return this.#until((state) => state === 'answered' || state === 'failed')
  }

  #until(reached: (state: InteractionView['state']) => boolean): Promise<InteractionView> {
    if (reached(this.#interaction.state)) return Promise.resolve(this.view())
    return new Promise((resolve) => {
      const stop = this.#core.pending.follow(this.id, () => {
        if (!reached(this.#interaction.state)) return
        stop()
        resolve(this.view())
      })
    })
  }
}
