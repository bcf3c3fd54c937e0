import type { Clock } from './clock.ts'

/** How often the same line is written in a minute. Further occurrences are only counted. */
export const MAX_A_MINUTE = 20
const MINUTE_MS = 60_000
/** The most different lines that are counted. If there are more, counting starts again. */
const MAX_LINES = 1_000

interface Seen {
  times: number
}

/**
 * The counts of repeated lines, such as those that a failing disk causes. The first occurrences of a line in a minute
 * are written. When the minute is over, one more line says how many were omitted.
 */
export class RepeatedLines {
  readonly #clock: Clock
  readonly #seen = new Map<string, Seen>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Whether to write a line now. If any lines are omitted, `summarize` is called a minute after the first line, with
   * the number of omitted lines.
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
