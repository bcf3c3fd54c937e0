import type { Clock } from '../../lib/clock.ts'

/** Milliseconds of the first moment of 2015: where Discord's snowflakes begin to count. */
const epochMs = 1_420_070_400_000n
/** Of the 4,096 ids of a millisecond, the first half is counted out, and the second half is for accounts of any age. */
const firstOfAccounts = 2 ** 11

/** The snowflake that would have been made at `ms`, with nothing but the time in it. */
export function snowflakeAt(ms: number, increment = 0): string {
  return (((BigInt(Math.floor(ms)) - epochMs) << 22n) | BigInt(increment)).toString()
}

/** The `nth` account made at `ms`; its id is unique. */
export function accountAt(ms: number, nth: number): string {
  return snowflakeAt(ms, firstOfAccounts + nth)
}

/** When a snowflake was made, in milliseconds since 1970. */
export function madeAt(snowflake: string): number {
  return Number((BigInt(snowflake) >> 22n) + epochMs)
}

/** Whether a text could be an id of Discord's: 15 to 20 digits. */
export function isSnowflake(value: unknown): value is string {
  return typeof value === 'string' && /^\d{15,20}$/.test(value)
}

/**
 * Makes ids that carry the clock's time and always grow, also when the clock stands still or is set back: then they
 * borrow from the next millisecond.
 */
export class Snowflakes {
  readonly #clock: Clock
  #lastMs: number
  #increment = 0

  constructor(clock: Clock, lastSnowflake?: string) {
    this.#clock = clock
    this.#lastMs = lastSnowflake === undefined ? 0 : madeAt(lastSnowflake) + 1
  }

  next(): string {
    const now = this.#clock.now()
    if (now > this.#lastMs) {
      this.#lastMs = now
      this.#increment = 0
    } else {
      this.#increment += 1
      if (this.#increment >= firstOfAccounts) {
        this.#lastMs += 1
        this.#increment = 0
      }
    }
    return snowflakeAt(this.#lastMs, this.#increment)
  }
}
