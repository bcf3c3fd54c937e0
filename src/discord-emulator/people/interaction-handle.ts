import type { Core } from '../core/core.ts'
import type { InteractionView, MessageView } from '../views.ts'
import type { InteractionRecord } from '../world/records.ts'

/** An interaction, as the person who caused it can follow it. */
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
   * Returns the messages that answered the interaction and still exist, the earliest first. The message with the
   * component that the person used is not an answer.
   */
  messages(): MessageView[] {
    const { channelId, messageIds } = this.#interaction
    return messageIds.flatMap((id) => {
      const message = this.#core.world.message(channelId, id)
      return message === undefined ? [] : [this.#core.seen.message(message)]
    })
  }

  /**
   * Resolves when the bot has responded, even with a deferred response, or has not responded within 3 seconds. Never
   * rejects.
   */
  acknowledged(): Promise<InteractionView> {
    return this.#until((state) => state !== 'waiting')
  }

  /**
   * Resolves when the person can see an answer, or the interaction has failed. A deferred response counts only once it
   * is filled in. Never rejects.
   */
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
