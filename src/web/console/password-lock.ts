import type { Clock } from '../../lib/clock.ts'
import { networksOf } from '../../lib/http/public-address.ts'
import { NewestNames } from '../../lib/newest-names.ts'

const MAX_WRONG = 5
/** From all addresses together: who has many must not have as many guesses. */
const MAX_WRONG_IN_ALL = 100
const LOCKED_MS = 15 * 60_000
const MAX_ADDRESSES = 10_000

interface Guesses {
  wrong: number
  /** On the monotonic clock. */
  lockedUntil: number
}

/**
 * Locks the password for an address after five wrong ones, for fifteen minutes; after a hundred in all, for everybody.
 */
export class PasswordLock {
  readonly #clock: Clock
  readonly #byAddress = new NewestNames<Guesses>(MAX_ADDRESSES)
  readonly #all: Guesses = { wrong: 0, lockedUntil: 0 }

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Milliseconds for which it accepts no password from there; 0: it does. */
  waitMs(address: string): number {
    const until = Math.max(this.#of(address).lockedUntil, this.#all.lockedUntil)
    return Math.max(until - this.#clock.monotonic(), 0)
  }

  /** Notes a wrong password. Whether it is locked now. */
  noteWrong(address: string): boolean {
    const one = this.#count(this.#of(address), MAX_WRONG)
    return this.#count(this.#all, MAX_WRONG_IN_ALL) || one
  }

  /** Forgets the wrong ones, for a right password of an operator. */
  noteRight(address: string): void {
    this.#of(address).wrong = 0
    this.#all.wrong = 0
  }

  #of(address: string): Guesses {
    return this.#byAddress.use(networksOf(address)[0] ?? address, () => ({ wrong: 0, lockedUntil: 0 }))
  }

  #count(guesses: Guesses, most: number): boolean {
    guesses.wrong += 1
    if (guesses.wrong < most) return false
    guesses.wrong = 0
    guesses.lockedUntil = this.#clock.monotonic() + LOCKED_MS
    return true
  }
}
