import type { Clock } from '../../../lib/clock.ts'
import type { TippingOwnership } from '../../core/ownership.ts'

/** A card that was raised by another bot, and is still to be shown after this time, was left by one that is gone. */
const LEFT_AFTER_MS = 10_000
/** The newest of the cards that this bot raised. Older ones count as left. */
const MAX_RAISED = 500

interface PendingCard {
  readonly id: string
  readonly revision: number
}

/**
 * Selects this bot's cards among all pending ones of a shared book: those that it has raised itself. The bot that looks
 * after the book shows the cards that others leave. A card that two show after all is edited twice to the same, and a
 * message that is new is refused by Discord the second time.
 */
export class CardsToShow {
  readonly #clock: Clock
  readonly #ownership: () => TippingOwnership
  readonly #raised = new Set<string>()
  /** The revision of each other pending card, and since when it was seen (monotonic ms). */
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

  /** Selects the pending cards to look at: all of them, or those with these ids. */
  get lookAt(): { readonly in: string[] } | undefined {
    const ownership = this.#ownership()
    return ownership.alone || ownership.has('upkeep') ? undefined : { in: [...this.#raised] }
  }

  /** The pending cards that this bot shows now. */
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
