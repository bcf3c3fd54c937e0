import type { BookWatch } from './book-watch.ts'
import type { Clocks } from './clocks.ts'
import type { Faults } from './faults.ts'
import type { Moment, Span } from './moments.ts'
import { WAITS_FOR_NEWCOMER_MS } from './promises.ts'

interface Returned {
  readonly id: string
  readonly tipId: string
  readonly recipient: string
}

/** Sees to it that no tip goes back to its giver before its time is over. */
export class Unclaimed {
  readonly #faults: Faults
  readonly #clocks: Clocks
  /** The earliest that the bot's clock may have said when each tip was written, by its id, in ms. */
  readonly #asked = new Map<string, number>()
  /** When each share was first seen to have gone back, by its id. */
  readonly #back = new Map<string, { readonly row: Returned; readonly at: Moment }>()

  constructor(faults: Faults, clocks: Clocks) {
    this.#faults = faults
    this.#clocks = clocks
  }

  /** Somebody was shown this tip, or this reward. */
  given(id: string, span: Span): void {
    if (this.#asked.has(id)) return
    const asked = this.#clocks.earliest(span)
    this.#asked.set(id, asked)
    for (const { row, at } of this.#back.values()) if (row.tipId === id || row.id === id) this.#judge(row, asked, at)
  }

  /** Looks for shares that have gone back since the last time. */
  look(botBook: BookWatch, now: Moment): void {
    const rows = botBook.rows<Returned>(`SELECT "id", "tipId", "recipient" FROM "TipShare" WHERE "state" = 'returned'`)
    if (rows.length === this.#back.size) return
    for (const row of rows) {
      if (this.#back.has(row.id)) continue
      this.#back.set(row.id, { row, at: now })
      const asked = this.#asked.get(row.tipId) ?? this.#asked.get(row.id)
      if (asked !== undefined) this.#judge(row, asked, now)
    }
  }

  /** By the bot's own clock. It may be set while a tip is asked for: what counts is what it said when the tip was written. */
  #judge({ tipId, recipient }: Returned, asked: number, back: Moment): void {
    const waited = back.wall - asked
    this.#faults.expect(
      waited >= WAITS_FOR_NEWCOMER_MS,
      () => `the tip ${tipId} for ${recipient} went back after ${waited} ms, and waits for ${WAITS_FOR_NEWCOMER_MS}`,
    )
  }
}
