import type { Moment, Span } from './moments.ts'

interface Offset {
  readonly since: number
  readonly ms: number
}

/**
 * How wrong one side's clock was, and when. Timed work follows that clock, right or wrong, so that a span of true time
 * is a span of times that it may have said.
 */
export class Clocks {
  readonly #offsets: Offset[] = []

  /** At this true time the clock said so much. */
  note(ms: number, wall: number): void {
    if (this.#offsets.at(-1)?.ms !== wall - ms) this.#offsets.push({ since: ms, ms: wall - ms })
  }

  /** The earliest that the clock may have said between these, in ms. */
  earliest({ from, to }: Pick<Span, 'from' | 'to'>): number {
    return from.ms + Math.min(...this.#during(from, to))
  }

  /** The latest. */
  latest({ from, to }: Pick<Span, 'from' | 'to'>): number {
    return to.ms + Math.max(...this.#during(from, to))
  }

  /** Whether the clock was left alone between these. */
  isSteady(from: Moment, to: Moment): boolean {
    return this.#during(from, to).length === 1
  }

  #during(from: Moment, to: Moment): number[] {
    const during = this.#offsets.filter(({ since }, n) => {
      const until = this.#offsets[n + 1]?.since ?? Number.POSITIVE_INFINITY
      return since <= to.ms && until >= from.ms
    })
    return during.length === 0 ? [0] : during.map(({ ms }) => ms)
  }
}
