import type { Moment, Span } from './moments.ts'

interface Offset {
  readonly since: number
  readonly ms: number
}

/**
 * How wrong one side's clock was, and when. Timed work follows that clock, so a span of true time becomes a span of
 * times that the clock may have shown.
 */
export class Clocks {
  readonly #offsets: Offset[] = []

  /** Notes what the clock showed at this true time. */
  note(ms: number, wall: number): void {
    if (this.#offsets.at(-1)?.ms !== wall - ms) this.#offsets.push({ since: ms, ms: wall - ms })
  }

  /** Returns the earliest time that the clock may have shown in a span, in ms. */
  earliest({ from, to }: Pick<Span, 'from' | 'to'>): number {
    return from.ms + Math.min(...this.#during(from, to))
  }

  /** Returns the latest time that the clock may have shown in a span, in ms. */
  latest({ from, to }: Pick<Span, 'from' | 'to'>): number {
    return to.ms + Math.max(...this.#during(from, to))
  }

  /** Whether nobody set the clock in this span. */
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
