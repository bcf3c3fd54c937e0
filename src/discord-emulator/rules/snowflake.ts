import type { Clock } from '../../lib/clock.ts'

/** The first moment of 2015 in Unix milliseconds, from which Discord's snowflakes count. */
const epochMs = 1_420_070_400_000n
/**
 * Where the ids for accounts, which can be of any age, begin among the 4,096 ids of a millisecond. The ids before them
 * are for everything else.
 */
const firstOfAccounts = 2 ** 11

/** Returns the snowflake of the time `ms` with this increment, which distinguishes the ids of a millisecond. */
export function snowflakeAt(ms: number, increment = 0): string {
  return (((BigInt(Math.floor(ms)) - epochMs) << 22n) | BigInt(increment)).toString()
}

/** Returns the id of the `nth` account that was created at `ms`. */
export function accountAt(ms: number, nth: number): string {
  return snowflakeAt(ms, firstOfAccounts + nth)
}

/** Returns a snowflake's time in Unix milliseconds. */
export function madeAt(snowflake: string): number {
  return Number((BigInt(snowflake) >> 22n) + epochMs)
}

/** Whether a value could be a Discord id: a string of 15 to 20 digits. */
export function isSnowflake(value: unknown): value is string {
  return typeof value === 'string' && /^\d{15,20}$/.test(value)
}

/**
 * Makes ids that contain the clock's time and always increase. While the clock stands still or has been set back, the
 * ids continue from the last one, and may run ahead of the clock.
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
