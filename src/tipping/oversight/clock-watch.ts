import type { Clock } from '../../lib/clock.ts'

/** More than this apart between two looks, and one of the clocks has been set. */
const TOLERANCE_MS = 30_000
/** How long the clocks must have agreed before the wall clock is believed again. */
const PROBATION_MS = 24 * 3_600_000

/**
 * Compares the wall clock with the monotonic clock. Expiries ask whether it is steady: a clock that was set wrongly must
 * not end anything early. After a day of agreement the new time is taken for right.
 */
export class ClockWatch {
  readonly #clock: Clock
  #wall: number
  #monotonic: number
  #disagreedAt: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
    this.#wall = clock.now()
    this.#monotonic = clock.monotonic()
  }

  steady(): boolean {
    const [wall, monotonic] = [this.#clock.now(), this.#clock.monotonic()]
    const apart = Math.abs(wall - this.#wall - (monotonic - this.#monotonic))
    if (apart > TOLERANCE_MS) this.#disagreedAt = monotonic
    this.#wall = wall
    this.#monotonic = monotonic
    return this.#disagreedAt === undefined || monotonic - this.#disagreedAt >= PROBATION_MS
  }
}
