import type { Clocks } from './clocks.ts'
import type { Faults } from './faults.ts'
import type { Span } from './moments.ts'

/** A giveaway as its starter typed it, and was shown it. */
export interface StartedGiveaway {
  readonly id: string
  readonly minutes: number
  /** What was published of its secret seed. */
  readonly commitment: string
  readonly span: Span
}

const MINUTE_MS = 60_000

/** Until when people enter a giveaway, and what was published before they did. */
export class Giveaways {
  readonly started = new Map<string, StartedGiveaway>()
  readonly #faults: Faults
  readonly #clocks: Clocks

  constructor(faults: Faults, clocks: Clocks) {
    this.#faults = faults
    this.#clocks = clocks
  }

  starts(giveaway: StartedGiveaway): void {
    this.started.set(giveaway.id, giveaway)
  }

  /** Somebody was told that they are in the draw by now, and were not before. */
  entered(id: string, member: string, span: Span): void {
    const giveaway = this.started.get(id)
    if (giveaway === undefined) return
    const endsAt = this.#clocks.latest(giveaway.span) + giveaway.minutes * MINUTE_MS
    const lateMs = this.#clocks.earliest(span) - endsAt
    this.#faults.expect(lateMs < 0, () => `${member} entered the giveaway ${id} ${lateMs} ms after its end`)
  }
}
