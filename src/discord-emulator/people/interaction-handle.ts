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

  /** Returns the interaction's present state. */
  view(): InteractionView {
    return this.#core.seen.interaction(this.#interaction)
  }

  /**
   * Returns the messages that answered and still exist, the first answer first. A used component's message is not an
   * answer.
   */
  messages(): MessageView[] {
    const { channelId, messageIds } = this.#interaction
    return messageIds.flatMap((id) => {
      const message = this.#core.world.message(channelId, id)
      return message === undefined ? [] : [this.#core.seen.message(message)]
    })
  }

  /** Resolves at the bot's first response, including a defer, or after 3 seconds. Never rejects. */
  acknowledged(): Promise<InteractionView> {
    return this.#until((state) => state !== 'waiting')
  }

  /** Resolves when the person can see an answer (after a defer: the filled-in one), or at failure. Never rejects. */
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
