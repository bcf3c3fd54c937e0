import type { BookWatch } from './book-watch.ts'
import type { Clocks } from './clocks.ts'
import type { Faults } from './faults.ts'
import type { Moment, Span } from './moments.ts'
import { MAX_BELIEVED_STOP_MS, WAITS_FOR_NEWCOMER_MS } from './promises.ts'

interface Returned {
  readonly id: string
  readonly tipId: string
  readonly recipient: string
}

/** When a tip was asked for: the earliest that the bot's clock may have said when it was written, and when it was there, of true time. */
interface Asked {
  readonly wall: number
  readonly byMs: number
}

/** The bot was started with a clock that is wrong by so much, and nobody has confirmed it or set it right yet. */
interface Doubt {
  readonly ms: number
  readonly sinceMs: number
}

/** Sees to it that no tip goes back to its giver before its time is over. */
export class Unclaimed {
  readonly #faults: Faults
  readonly #clocks: Clocks
  /** By the id of the tip. */
  readonly #asked = new Map<string, Asked>()
  #doubts: Doubt[] = []
  /** When each share was first seen to have gone back, by its id. */
  readonly #back = new Map<string, { readonly row: Returned; readonly at: Moment }>()

  constructor(faults: Faults, clocks: Clocks) {
    this.#faults = faults
    this.#clocks = clocks
  }

  /** Somebody was shown this tip, or this reward. */
  given(id: string, span: Span): void {
    if (this.#asked.has(id)) return
    const asked = { wall: this.#clocks.earliest(span), byMs: span.to.ms }
    this.#asked.set(id, asked)
    for (const { row, at } of this.#back.values()) if (row.tipId === id || row.id === id) this.#judge(row, asked, at)
  }

  /** The bot is about to start with a clock that is wrong by so much. Calling the returned function ends that. */
  startsWrong(ms: number, now: Moment): () => void {
    const doubt = { ms, sinceMs: now.ms }
    this.#doubts.push(doubt)
    return () => {
      this.#doubts = this.#doubts.filter((each) => each !== doubt)
    }
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
  #judge({ tipId, recipient }: Returned, asked: Asked, back: Moment): void {
    const waited = back.wall - asked.wall - this.#unbelieved(asked)
    this.#faults.expect(
      waited >= WAITS_FOR_NEWCOMER_MS,
      () => `the tip ${tipId} for ${recipient} went back after ${waited} ms, and waits for ${WAITS_FOR_NEWCOMER_MS}`,
    )
  }

  /** By how much the bot's clock stands ahead since a tip was asked for, and must not be believed. */
  #unbelieved({ byMs }: Asked): number {
    const [doubt, another] = this.#doubts
    // Two at once may make each other right.
    if (doubt === undefined || another !== undefined || doubt.sinceMs < byMs) return 0
    return doubt.ms > MAX_BELIEVED_STOP_MS ? doubt.ms : 0
  }
}
