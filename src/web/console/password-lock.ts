import type { Clock } from '../../lib/clock.ts'
import { networksOf } from '../../lib/http/public-address.ts'
import { NewestNames } from '../../lib/newest-names.ts'

const MAX_WRONG = 5
/**
 * The limit for all addresses together, so that a person with many addresses does not get many times as many guesses.
 */
const MAX_WRONG_IN_ALL = 100
const LOCKED_MS = 15 * 60_000
const MAX_ADDRESSES = 10_000

interface Guesses {
  wrong: number
  /** A time of the monotonic clock. */
  lockedUntil: number
}

/**
 * Locks the password for an address for fifteen minutes after five wrong passwords from it, and for everybody after a
 * hundred wrong passwords in all.
 */
export class PasswordLock {
  readonly #clock: Clock
  readonly #byAddress = new NewestNames<Guesses>(MAX_ADDRESSES)
  readonly #all: Guesses = { wrong: 0, lockedUntil: 0 }

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns how many milliseconds this address must wait before it may send a password again; 0 if it may now. */
  waitMs(address: string): number {
    const until = Math.max(this.#of(address).lockedUntil, this.#all.lockedUntil)
    return Math.max(until - this.#clock.monotonic(), 0)
  }

  /** Counts a wrong password. Returns whether the password is then locked for the address. */
  noteWrong(address: string): boolean {
    const one = this.#count(this.#of(address), MAX_WRONG)
    return this.#count(this.#all, MAX_WRONG_IN_ALL) || one
  }

  /**
   * Resets the counts of wrong passwords, of this address and of all, after an operator has sent the right password.
   */
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
