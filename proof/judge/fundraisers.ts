import type { Faults } from './faults.ts'
import { isBefore, type Span } from './moments.ts'

/** Checks that nobody gives to a fundraiser that was shown as closed. */
export class Fundraisers {
  readonly #faults: Faults
  readonly #closed = new Map<string, Span>()

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** Notes that the owner was told that the fundraiser is closed. */
  closed(id: string, span: Span): void {
    if (!this.#closed.has(id)) this.#closed.set(id, span)
  }

  /** Notes that somebody was told that their gift was accepted. */
  took(id: string, member: string, span: Span): void {
    const closed = this.#closed.get(id)
    this.#faults.expect(
      closed === undefined || !isBefore(closed, span),
      () => `${member} has given to the fundraiser ${id}, which was closed before`,
    )
  }
}
