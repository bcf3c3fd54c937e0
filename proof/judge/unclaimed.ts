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

/**
 * The time of a tip's request: the earliest time that the bot's clock may have shown when the tip was written, and the
 * true time by which the tip existed.
 */
interface Asked {
  readonly wall: number
  readonly byMs: number
}

/** A period in which the bot's clock is wrong by this much and nobody has confirmed or corrected it. */
interface Doubt {
  readonly ms: number
  readonly sinceMs: number
}

/** Checks that no tip returns to its giver before its time is over. */
export class Unclaimed {
  readonly #faults: Faults
  readonly #clocks: Clocks
  /** The times of requests, by tip id. */
  readonly #asked = new Map<string, Asked>()
  #doubts: Doubt[] = []
  /** The moment at which each returned share was first seen as returned, by the share's id. */
  readonly #back = new Map<string, { readonly row: Returned; readonly at: Moment }>()

  constructor(faults: Faults, clocks: Clocks) {
    this.#faults = faults
    this.#clocks = clocks
  }

  /** Notes that somebody was shown this tip or reward. */
  given(id: string, span: Span): void {
    if (this.#asked.has(id)) return
    const asked = { wall: this.#clocks.earliest(span), byMs: span.to.ms }
    this.#asked.set(id, asked)
    for (const { row, at } of this.#back.values()) if (row.tipId === id || row.id === id) this.#judge(row, asked, at)
  }

  /**
   * Notes that the bot is about to start with a clock that is wrong by this much. The returned function notes that the
   * doubt has ended.
   */
  startsWrong(ms: number, now: Moment): () => void {
    const doubt = { ms, sinceMs: now.ms }
    this.#doubts.push(doubt)
    return () => {
      this.#doubts = this.#doubts.filter((each) => each !== doubt)
    }
  }

  /** Checks the shares that have returned since the last call. */
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

  /**
   * Judges a return by the bot's own clock. Somebody may set the clock while a tip is requested: the clock's time when
   * the tip was written counts.
   */
  #judge({ tipId, recipient }: Returned, asked: Asked, back: Moment): void {
    const waited = back.wall - asked.wall - this.#unbelieved(asked)
    this.#faults.expect(
      waited >= WAITS_FOR_NEWCOMER_MS,
      () => `the tip ${tipId} for ${recipient} went back after ${waited} ms, and waits for ${WAITS_FOR_NEWCOMER_MS}`,
    )
  }

  /** Returns how far the bot's clock has run ahead, untrusted, since the request. */
  #unbelieved({ byMs }: Asked): number {
    const [doubt, another] = this.#doubts
    // Two simultaneous changes may cancel each other out.
    if (doubt === undefined || another !== undefined || doubt.sinceMs < byMs) return 0
    return doubt.ms > MAX_BELIEVED_STOP_MS ? doubt.ms : 0
  }
}
