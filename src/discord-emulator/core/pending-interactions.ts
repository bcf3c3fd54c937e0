import type { Clock } from '../../lib/clock.ts'
import type { GatewayEvent } from '../gateway/events.ts'
import type { InteractionRecord } from '../world/records.ts'

/** How long a bot has for its first response. */
export const firstResponseMs = 3000

const maxDeliveries = 500

/**
 * Open work between people and the bot, beyond what is stored: deadlines, followers of an interaction, and the last
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

  /** Runs `giveUp` when the first response is late. */
  expect(interaction: InteractionRecord, giveUp: () => void): void {
    this.#deadlines.set(
      interaction.id,
      this.#clock.after(firstResponseMs, () => {
        this.#deadlines.delete(interaction.id)
        giveUp()
      }),
    )
  }

  /** Notes that the first response came. */
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

  /** Makes the followers look again. */
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

  /** Returns a past delivery unchanged. */
  delivery(interactionId: string): GatewayEvent | undefined {
    return this.#deliveries.get(interactionId)
  }

  close(): void {
    for (const cancel of this.#deadlines.values()) cancel()
    this.#deadlines.clear()
    this.#followers.clear()
  }
}
