import type { Clock } from './clock.ts'

/** The same line is written this often in a minute. Further ones are counted. */
export const MAX_A_MINUTE = 20
const MINUTE_MS = 60_000
/** If there are more different lines than this, counting starts again. */
const MAX_LINES = 1_000

interface Seen {
  times: number
}

/**
 * Limits repeated lines, as a failing disk causes them everywhere. The first ones in a minute are written. When the
 * minute is over, one more line says how many were left out.
 */
export class RepeatedLines {
  readonly #clock: Clock
  readonly #seen = new Map<string, Seen>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Whether to write a line now. `summarize` is called a minute after the first, with the number of omitted lines, if
   * there are any.
   */
  mayWrite(line: string, summarize: (leftOut: number) => void): boolean {
    const known = this.#seen.get(line)
    if (known !== undefined) {
      known.times += 1
      return known.times <= MAX_A_MINUTE
    }
    if (this.#seen.size >= MAX_LINES) this.#seen.clear()
    const seen = { times: 1 }
    this.#seen.set(line, seen)
    this.#clock.after(MINUTE_MS, () => {
      if (this.#seen.get(line) === seen) this.#seen.delete(line)
      if (seen.times > MAX_A_MINUTE) summarize(seen.times - MAX_A_MINUTE)
    })
    return true
  }
}
