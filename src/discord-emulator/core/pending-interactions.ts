import type { Clock } from '../../lib/clock.ts'
import type { GatewayEvent } from '../gateway/events.ts'
import type { InteractionRecord } from '../world/records.ts'

/** How long a bot has for its first response. */
export const firstResponseMs = 3000

const maxDeliveries = 500

/**
 * What is open between people and the bot and is not stored: deadlines, the followers of interactions, and the last
 * deliveries, which a test can repeat.
 */
export class PendingInteractions {
  readonly #clock: Clock
  readonly #deadlines = new Map<string, () => void>()
  readonly #followers = new Map<string, Set<() => void>>()
  readonly #deliveries = new Map<string, GatewayEvent>()
  /** How many of the next interactions are delivered twice. */
  duplicates = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Runs `giveUp` if the bot's first response does not arrive in time. */
  expect(interaction: InteractionRecord, giveUp: () => void): void {
    this.#deadlines.set(
      interaction.id,
      this.#clock.after(firstResponseMs, () => {
        this.#deadlines.delete(interaction.id)
        giveUp()
      }),
    )
  }

  /** Notes that the first response has arrived. */
  met(interaction: InteractionRecord): void {
    this.#deadlines.get(interaction.id)?.()
    this.#deadlines.delete(interaction.id)
  }

  follow(interactionId: string, listener: () => void): () => void {
    const listeners = this.#followers.get(interactionId) ?? new Set()
    this.#followers.set(interactionId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#followers.delete(interactionId)
    }
  }

  /** Calls the followers of an interaction. */
  changed(interactionId: string): void {
    for (const listener of [...(this.#followers.get(interactionId) ?? [])]) listener()
  }

  remember(interactionId: string, event: GatewayEvent): void {
    this.#deliveries.set(interactionId, event)
    for (const oldest of this.#deliveries.keys()) {
      if (this.#deliveries.size <= maxDeliveries) break
      this.#deliveries.delete(oldest)
    }
  }

  /** Returns an earlier delivery, unchanged; undefined if it is not remembered. */
  delivery(interactionId: string): GatewayEvent | undefined {
    return this.#deliveries.get(interactionId)
  }

  close(): void {
    for (const cancel of this.#deadlines.values()) cancel()
    this.#deadlines.clear()
    this.#followers.clear()
  }
}
