import type { Clocks } from './clocks.ts'
import type { Faults } from './faults.ts'
import type { Span } from './moments.ts'

/** A giveaway as its starter typed it and was shown it. */
export interface StartedGiveaway {
  readonly id: string
  readonly minutes: number
  /** The published commitment to its secret seed. */
  readonly commitment: string
  /** The least age, in days, of accounts that may enter; undefined if there is none. */
  readonly minAgeDays: number | undefined
  readonly span: Span
}

interface Entrant {
  readonly member: string
  /** Whether the account is younger than any required age. */
  readonly young: boolean
}

const MINUTE_MS = 60_000

/** Judges whether people enter giveaways and claim prizes in time, and whether they may enter. */
export class Giveaways {
  readonly started = new Map<string, StartedGiveaway>()
  /** The latest end, by the bot's clock, of each giveaway that its starter ended early. */
  readonly #ends = new Map<string, number>()
  /** How many minutes later each giveaway ends than was first typed. */
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

  /** Notes that the starter was told that the giveaway ends within a minute. */
  ends(id: string, span: Span): void {
    const endsAt = this.#clocks.latest(span) + MINUTE_MS
    this.#ends.set(id, Math.min(endsAt, this.#ends.get(id) ?? Number.POSITIVE_INFINITY))
  }

  /**
   * Notes that the starter was told that the giveaway ends this many minutes later, so that an earlier announcement of
   * a close end no longer holds.
   */
  endsLater(id: string, minutes: number): void {
    this.#later.set(id, minutes + (this.#later.get(id) ?? 0))
    this.#ends.delete(id)
  }

  /** Notes that somebody was told that a prize is theirs, and until when they could claim it. */
  claimed(id: string, { member, until }: { readonly member: string; readonly until: Date }, span: Span): void {
    const lateMs = this.#clocks.earliest(span) - until.getTime()
    this.#faults.expect(lateMs < 0, () => `${member} claimed a prize of the giveaway ${id} ${lateMs} ms too late`)
  }

  /** Notes that somebody was told that they entered the draw for the first time. */
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
