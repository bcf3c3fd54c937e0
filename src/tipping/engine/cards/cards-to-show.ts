import type { Clock } from '../../../lib/clock.ts'
import type { TippingOwnership } from '../../core/ownership.ts'

/** How long a card that another bot raised may stay pending before that bot is assumed to be gone. */
const LEFT_AFTER_MS = 10_000
/** How many raised cards this bot remembers. Older cards are treated as left by another bot. */
const MAX_RAISED = 500

interface PendingCard {
  readonly id: string
  readonly revision: number
}

/**
 * Selects which pending cards of a shared book this bot shows: those that it raised itself. The bot that looks after
 * the book also shows cards that other bots have left. If two bots show the same card, both edit its message to the
 * same content; if both send a new message, Discord refuses the second one.
 */
export class CardsToShow {
  readonly #clock: Clock
  readonly #ownership: () => TippingOwnership
  readonly #raised = new Set<string>()
  /**
   * The revision of each pending card that this bot did not raise, and when that revision was first seen (monotonic
   * ms).
   */
  #seen = new Map<string, { readonly revision: number; readonly since: number }>()

  constructor(clock: Clock, ownership: () => TippingOwnership) {
    this.#clock = clock
    this.#ownership = ownership
  }

  raised(ids: readonly string[]): void {
    for (const id of ids) {
      this.#raised.delete(id)
      this.#raised.add(id)
    }
    for (const oldest of this.#raised) {
      if (this.#raised.size <= MAX_RAISED) break
      this.#raised.delete(oldest)
    }
  }

  /** The ids of the pending cards to look at; undefined means all of them. */
  get lookAt(): { readonly in: string[] } | undefined {
    const ownership = this.#ownership()
    return ownership.alone || ownership.has('upkeep') ? undefined : { in: [...this.#raised] }
  }

  /** Returns the pending cards that this bot shows now. */
  choose<Card extends PendingCard>(pending: readonly Card[]): Card[] {
    if (this.#ownership().alone) return [...pending]
    const now = this.#clock.monotonic()
    const seen = new Map<string, { revision: number; since: number }>()
    const chosen = pending.filter(({ id, revision }) => {
      if (this.#raised.has(id)) return true
      const before = this.#seen.get(id)
      const since = before?.revision === revision ? before.since : now
      seen.set(id, { revision, since })
      return now - since >= LEFT_AFTER_MS
    })
    this.#seen = seen
    return chosen
  }
}
