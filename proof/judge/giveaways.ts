import type { Clocks } from './clocks.ts'
import type { Faults } from './faults.ts'
import type { Span } from './moments.ts'

/** A giveaway as its starter typed it, and was shown it. */
export interface StartedGiveaway {
  readonly id: string
  readonly minutes: number
  /** The published commitment to its secret seed. */
  readonly commitment: string
  /** Only for accounts of at least so many days. */
  readonly minAgeDays: number | undefined
  readonly span: Span
}

interface Entrant {
  readonly member: string
  /** Their account is younger than any giveaway asks for that asks for an age. */
  readonly young: boolean
}

const MINUTE_MS = 60_000

/** Until when people enter a giveaway, and what was published before they did. */
export class Giveaways {
  readonly started = new Map<string, StartedGiveaway>()
  /** By the latest that the bot's clock may have said, for those whose starter ended them early. */
  readonly #ends = new Map<string, number>()
  /** By so many minutes they end later than was typed at first. */
  readonly #later = new Map<string, number>()
  readonly #faults: Faults
  readonly #clocks: Clocks

  constructor(faults: Faults, clocks: Clocks) {
    this.#faults = faults
    this.#clocks = clocks
  }

  starts(giveaway: StartedGiveaway): void {
    this.started.set(giveaway.id, giveaway)
  }

  /** Its starter was told that it ends in a minute at the latest. */
  ends(id: string, span: Span): void {
    const endsAt = this.#clocks.latest(span) + MINUTE_MS
    this.#ends.set(id, Math.min(endsAt, this.#ends.get(id) ?? Number.POSITIVE_INFINITY))
  }

  /** Its starter was told that it ends so many minutes later: then no end was announced as close. */
  endsLater(id: string, minutes: number): void {
    this.#later.set(id, minutes + (this.#later.get(id) ?? 0))
    this.#ends.delete(id)
  }

  /** Somebody was told that a prize is theirs, which they could claim until then. */
  claimed(id: string, { member, until }: { readonly member: string; readonly until: Date }, span: Span): void {
    const lateMs = this.#clocks.earliest(span) - until.getTime()
    this.#faults.expect(lateMs < 0, () => `${member} claimed a prize of the giveaway ${id} ${lateMs} ms too late`)
  }

  /** Somebody was told that they are in the draw, and were not before. */
  entered(id: string, { member, young }: Entrant, span: Span): void {
    const giveaway = this.started.get(id)
    if (giveaway === undefined) return
    this.#faults.expect(
      giveaway.minAgeDays === undefined || !young,
      () =>
        `${member}, whose account is new, entered the giveaway ${id}, which is for accounts of ${giveaway.minAgeDays} days`,
    )
    const asTyped = this.#clocks.latest(giveaway.span) + (giveaway.minutes + (this.#later.get(id) ?? 0)) * MINUTE_MS
    const endsAt = Math.min(asTyped, this.#ends.get(id) ?? asTyped)
    const lateMs = this.#clocks.earliest(span) - endsAt
    this.#faults.expect(lateMs < 0, () => `${member} entered the giveaway ${id} ${lateMs} ms after its end`)
  }
}
