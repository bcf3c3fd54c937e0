import type { Clock } from '../../lib/clock.ts'

/** The first moment of 2015 in milliseconds, the start of Discord's snowflakes. */
const epochMs = 1_420_070_400_000n
/** A millisecond has 4,096 ids. The first half is counted up, and the second half is for accounts of any age. */
const firstOfAccounts = 2 ** 11

/** Makes the snowflake of the time `ms`, with no other content than the time. */
export function snowflakeAt(ms: number, increment = 0): string {
  return (((BigInt(Math.floor(ms)) - epochMs) << 22n) | BigInt(increment)).toString()
}

/** Makes the unique id of the `nth` account created at `ms`. */
export function accountAt(ms: number, nth: number): string {
  return snowflakeAt(ms, firstOfAccounts + nth)
}

/** Returns a snowflake's time in milliseconds since 1970. */
export function madeAt(snowflake: string): number {
  return Number((BigInt(snowflake) >> 22n) + epochMs)
}

/** Whether a text could be a Discord id: 15 to 20 digits. */
export function isSnowflake(value: unknown): value is string {
  return typeof value === 'string' && /^\d{15,20}$/.test(value)
}

/**
 * Makes ids that carry the clock's time and always grow. If the clock stands still or is set back, the ids borrow from
 * the next millisecond.
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
