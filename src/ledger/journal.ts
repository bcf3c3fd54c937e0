import { allRows, each, type ReadRows, type ReadValue } from '../lib/database/engine/reader.ts'
import { longer } from '../lib/longer.ts'

/** The most faults of one kind that are listed individually. */
export const MAX_LISTED = 20

/** A gap in the numbers of entries or moves. */
export interface Gap {
  readonly table: 'Entry' | 'Move'
  readonly before: number
  readonly id: number
}

/** A move that does not name the previous move of one of its accounts. In `named` and `real`, 0 means none. */
export interface BrokenLink {
  readonly move: number
  readonly account: number
  readonly named: number
  readonly real: number
}

const MOVES =
  'SELECT "id", "entryId", "fromId", "toId", "amount", "fromPreviousId", "toPreviousId" FROM "Move" WHERE "id" > ? ORDER BY "id"'
const ENTRIES =
  'SELECT e."id", CASE WHEN EXISTS (SELECT 1 FROM "Move" AS m WHERE m."entryId" = e."id") THEN 1 ELSE 0 END FROM "Entry" AS e WHERE e."id" > ? ORDER BY e."id"'
const ENTRY = 'SELECT "operation", "step", CAST("at" AS TEXT) FROM "Entry" WHERE "id" = ?'

/** The highest possible account number: only a damaged book has a higher one. */
const MAX_ACCOUNT_ID = 2 ** 27

/**
 * A journal's sums, line by line: for each account, moves in minus moves out, and the newest move. Resumes after the
 * last known line, because a journal only grows. Uses sixteen bytes for each account.
 */
export class Journal {
  entries = 0
  moves = 0
  lastEntry = 0
  lastMove = 0
  /** The numbers of accounts and of entries that the moves name. */
  namedAccounts = 0
  namedEntries = 0
  /** The number of entries that move nothing, and the first of them. */
  emptyEntries = 0
  readonly empty: number[] = []
  readonly gaps: Gap[] = []
  readonly broken: BrokenLink[] = []
  readonly brokenAccounts = new Set<number>()
  #moved = new BigInt64Array(1_024)
  #newest = new Float64Array(1_024)
  /** The last move's entry, which is enough to count the named entries, because an entry's moves are consecutive. */
  #namedLast = Number.NaN
  /** The last entry in full, by which the book is recognized later. */
  #mark = ''

  /** Returns an account's balance according to its moves, in msats. */
  moved(account: number): bigint {
    return this.#moved[account] ?? 0n
  }

  /** Returns an account's newest move; 0 for none. */
  newest(account: number): number {
    return this.#newest[account] ?? 0
  }

  /**
   * Whether the book still has the last known line. Another book does not have it, nor does a book that has lost its
   * newest lines.
   */
  async isOf(rows: ReadRows): Promise<boolean> {
    return this.lastEntry === 0 || (await markOf(rows, this.lastEntry)) === this.#mark
  }

  /** Reads the lines after the known ones, up to and including those of the entry `upTo`, if it is given. */
  async follow(rows: ReadRows, upTo = Number.POSITIVE_INFINITY): Promise<void> {
    for await (const [id, hasMoves] of each(rows(ENTRIES, [this.lastEntry]))) {
      if (Number(id) > upTo) break
      this.#takeEntry(Number(id), hasMoves === 1n)
    }
    for await (const row of each(rows(MOVES, [this.lastMove]))) {
      if (Number(row[1]) > upTo) break
      this.#takeMove(row)
    }
    this.#mark = await markOf(rows, this.lastEntry)
  }

  #takeEntry(id: number, hasMoves: boolean): void {
    if (id !== this.lastEntry + 1) this.#note({ table: 'Entry', before: this.lastEntry, id })
    if (!hasMoves) {
      this.emptyEntries += 1
      if (this.empty.length < MAX_LISTED) this.empty.push(id)
    }
    this.entries += 1
    this.lastEntry = id
  }

  #takeMove([id, entry, from, to, amount, fromPrevious, toPrevious]: readonly ReadValue[]): void {
    const move = Number(id)
    if (Number(entry) !== this.#namedLast) this.namedEntries += 1
    this.#namedLast = Number(entry)
    if (move !== this.lastMove + 1) this.#note({ table: 'Move', before: this.lastMove, id: move })
    this.#takeSide(move, Number(from), -(amount as bigint), Number(fromPrevious ?? 0))
    this.#takeSide(move, Number(to), amount as bigint, Number(toPrevious ?? 0))
    this.moves += 1
    this.lastMove = move
  }

  #takeSide(move: number, account: number, amount: bigint, named: number): void {
    if (account >= this.#moved.length) this.#grow(account)
    const real = this.newest(account)
    if (real === 0) this.namedAccounts += 1
    if (named !== real) {
      this.brokenAccounts.add(account)
      if (this.broken.length < MAX_LISTED) this.broken.push({ move, account, named, real })
    }
    this.#moved[account] = this.moved(account) + amount
    this.#newest[account] = move
  }

  #note(gap: Gap): void {
    if (this.gaps.filter(({ table }) => table === gap.table).length < MAX_LISTED) this.gaps.push(gap)
  }

  #grow(account: number): void {
    if (account > MAX_ACCOUNT_ID) throw new RangeError(`a move names account ${account}, which cannot exist`)
    this.#moved = longer(this.#moved, account)
    this.#newest = longer(this.#newest, account)
  }
}

async function markOf(rows: ReadRows, entry: number): Promise<string> {
  const [row] = await allRows(rows(ENTRY, [entry]))
  return row?.join(' ') ?? ''
}
