import type { Clocks } from './clocks.ts'
import type { Faults } from './faults.ts'
import type { Moment, Span } from './moments.ts'

const MSATS_PER_BTC = 100_000_000_000n
const SAT = 1_000n
const MINUTE_MS = 60_000
/** The maximum age of a price that is used. */
const MAX_AGE_MS = 10 * MINUTE_MS
/** The time after which no answer of the source is still on its way. */
const ON_ITS_WAY_MS = MINUTE_MS

/** Judges amounts in dollars by Bitcoin's prices as their source published them. */
export class Prices {
  readonly #faults: Faults
  readonly #clocks: Clocks
  /** The published prices in whole dollars, each with its moment. */
  readonly #said: { readonly price: number; readonly at: Moment }[] = []

  constructor(faults: Faults, clocks: Clocks) {
    this.#faults = faults
    this.#clocks = clocks
  }

  said(price: number, at: Moment): void {
    this.#said.push({ price, at })
  }

  /** Checks that these cents became msats by a published price that was not too old by the bot's own clock. */
  became(cents: number, msats: bigint, span: Span): void {
    const right = this.#said.filter(({ price }) => toMsats(cents, price) === msats)
    const about = `${cents} cents became ${msats} msats`
    this.#faults.expect(right.length > 0, () => `${about}, which no price makes`)
    if (right.length === 0) return
    const age = Math.min(...right.map(({ at }) => this.#leastAge(at, span)))
    this.#faults.expect(age <= MAX_AGE_MS, () => `${about}, by a price that was ${age} ms old`)
  }

  /**
   * Returns the least age of a price: the bot receives the price some time after its publication, and records the time
   * by its own clock.
   */
  #leastAge(at: Moment, span: Span): number {
    const heard = { from: at, to: { ...at, ms: at.ms + ON_ITS_WAY_MS } }
    return this.#clocks.earliest(span) - this.#clocks.latest(heard)
  }
}

/** Converts cents to msats of whole sats, rounded down. */
function toMsats(cents: number, price: number): bigint {
  return ((BigInt(cents) * MSATS_PER_BTC) / (BigInt(price) * 100n) / SAT) * SAT
}
