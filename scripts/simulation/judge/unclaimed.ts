import type { BookWatch } from './book-watch.ts'
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
  /** When each tip was asked for, by its id. */
  readonly #asked = new Map<string, Moment>()
  /** When each share was first seen to have gone back, by its id. */
  readonly #back = new Map<string, { readonly row: Returned; readonly at: Moment }>()

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** Somebody was shown this tip, or this reward. */
  given(id: string, { from }: Span): void {
    if (this.#asked.has(id)) return
    this.#asked.set(id, from)
    for (const { row, at } of this.#back.values()) if (row.tipId === id || row.id === id) this.#judge(row, from, at)
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

  /** By the bot's own clock: it may be wrong, but then it is wrong from the tip on, or known to be. */
  #judge({ tipId, recipient }: Returned, asked: Moment, back: Moment): void {
    const waited = back.wall - asked.wall
    this.#faults.expect(
      waited >= WAITS_FOR_NEWCOMER_MS,
      () => `the tip ${tipId} for ${recipient} went back after ${waited} ms, and waits for ${WAITS_FOR_NEWCOMER_MS}`,
    )
  }
}
