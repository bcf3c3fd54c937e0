import type { Clock } from '../../lib/clock.ts'

const windowMs = 1000

/** Discord's limit over all routes: so many requests in any one second. */
export class RateLimit {
  readonly #clock: Clock
  readonly #perSecond: number
  #startedAt: number
  #used = 0

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock
    this.#perSecond = perSecond
    this.#startedAt = clock.monotonic()
  }

  /** Counts a request. Gives the seconds to wait if it is one too many. */
  exceeded(): number | undefined {
    const now = this.#clock.monotonic()
    if (now - this.#startedAt >= windowMs) {
      this.#startedAt = now
      this.#used = 0
    }
    this.#used += 1
    return this.#used <= this.#perSecond ? undefined : (this.#startedAt + windowMs - now) / 1000
  }
}
