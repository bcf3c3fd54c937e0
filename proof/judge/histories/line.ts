import type { Book } from './book.ts'
import type { AskedChange, Reading } from './history.ts'

/** An account's balance after each move, and the change that made each move. */
export interface Line {
  /** The balance after each number of moves, beginning with 0 moves. */
  readonly held: readonly number[]
  /** The change behind each move; undefined for moves from before the clients began. */
  readonly changes: readonly (AskedChange | undefined)[]
}

/**
 * Returns each account's line, in the book's order. That order is a claim: `outOfOrder` and `Places` compare it with
 * the clock.
 */
export function linesOf(book: Book, changes: ReadonlyMap<string, AskedChange>): Map<string, Line> {
  const lines = new Map<string, { held: number[]; changes: (AskedChange | undefined)[] }>()
  const add = (account: string, difference: number, change: AskedChange | undefined) => {
    const line = lines.get(account) ?? { held: [0], changes: [] }
    lines.set(account, line)
    line.held.push((line.held.at(-1) ?? 0) + difference)
    line.changes.push(change)
  }
  for (const { operation, from, to, amount } of book.moves) {
    add(from, -amount, changes.get(operation))
    add(to, amount, changes.get(operation))
  }
  return lines
}

/** Finds two changes that the book has in the wrong order: the second was requested after the first was answered. */
export function outOfOrder({ changes }: Line): [AskedChange, AskedChange][] {
  const wrong: [AskedChange, AskedChange][] = []
  let latest: AskedChange | undefined
  for (const change of changes) {
    if (change === undefined) continue
    if (latest !== undefined && change.answered < latest.asked) wrong.push([change, latest])
    if (latest === undefined || change.asked > latest.asked) latest = change
  }
  return wrong
}

/** Finds the moments of a line between which a call must have happened. */
export class Places {
  readonly #line: Line
  /** The least number of moves made before each moment, from the times of their answers. */
  readonly #made: Steps
  /** The greatest number of moves that may have been made before each moment, from the times of their requests. */
  readonly #possible: Steps

  constructor(line: Line) {
    this.#line = line
    const places = line.changes.map((change, index) => ({ change, index }))
    const answered = places.map(({ change, index }) => [change?.answered ?? -Infinity, index + 1] as const)
    const asked = places.map(({ change, index }) => [-(change?.asked ?? -Infinity), -index] as const)
    this.#made = new Steps(answered)
    this.#possible = new Steps(asked)
  }

  /**
   * Returns the first moment from `least` on, within a call's time, at which the balance `fits`; undefined if there is
   * none.
   */
  find(
    { asked, answered }: Pick<Reading, 'asked' | 'answered'>,
    fits: (held: number) => boolean,
    least = 0,
  ): number | undefined {
    const from = Math.max(this.#made.before(asked) ?? 0, least)
    const to = -(this.#possible.before(-answered) ?? -this.#line.changes.length)
    for (let place = from; place <= to; place += 1) if (fits(this.#line.held[place] ?? 0)) return place
    return undefined
  }
}

/** The greatest value reached before each moment. */
class Steps {
  readonly #times: number[] = []
  readonly #values: number[] = []

  constructor(steps: (readonly [time: number, value: number])[]) {
    let greatest = -Infinity
    for (const [time, value] of steps.toSorted(([one], [other]) => (one === other ? 0 : one - other))) {
      greatest = Math.max(greatest, value)
      this.#times.push(time)
      this.#values.push(greatest)
    }
  }

  before(time: number): number | undefined {
    let [low, high] = [0, this.#times.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#times[middle] ?? Infinity) < time) low = middle + 1
      else high = middle
    }
    return this.#values[low - 1]
  }
}
