import { FileRows, type RowSource } from './row-source.ts'
import type { Sides } from './sides.ts'

interface WatchedAccount {
  readonly kind: string
  readonly owner: string
  balance: bigint
}

/**
 * A second book beside that of a side. It adds up every durable move, independently of the tested code, and compares
 * the sums with the tested book.
 */
export class BookWatch {
  readonly #source: RowSource
  readonly #side: string
  readonly #chart: Sides
  readonly #accounts = new Map<number, WatchedAccount>()
  #lastMove = 0

  /** `source` is a file, or a function that answers queries of a book. */
  constructor(side: string, source: string | RowSource, chart: Sides) {
    this.#side = side
    this.#chart = chart
    this.#source = typeof source === 'string' ? new FileRows(source) : source
  }

  /** Releases the book until the next query. */
  close(): void {
    this.#source.close()
  }

  get moves(): number {
    return this.#lastMove
  }

  /**
   * Checks the entries written since the last time: each touched account holds what its moves sum to, on the right side
   * of zero for its kind.
   */
  checkTouched(): string[] {
    const moves = this.rows<{ id: bigint; fromId: bigint; toId: bigint; amount: bigint }>(
      'SELECT "id", "fromId", "toId", "amount" FROM "Move" WHERE "id" > ? ORDER BY "id"',
      this.#lastMove,
    )
    const touched = new Set<number>()
    for (const { id, fromId, toId, amount } of moves) {
      this.#lastMove = Number(id)
      this.#account(Number(fromId)).balance -= amount
      this.#account(Number(toId)).balance += amount
      touched.add(Number(fromId)).add(Number(toId))
    }
    return [...touched].flatMap((id) => this.#compare(id))
  }

  /** Checks every account, and that the book sums to zero. */
  checkAll(): string[] {
    const faults = [...this.checkTouched(), ...[...this.#accounts.keys()].flatMap((id) => this.#compare(id))]
    const [{ sum }] = this.rows<{ sum: bigint }>('SELECT COALESCE(SUM("balance"), 0) AS "sum" FROM "Account"') as [
      { sum: bigint },
    ]
    if (sum !== 0n) faults.push(`the ${this.#side}'s book sums to ${sum} msats`)
    return faults
  }

  balance(kind: string, owner: string): bigint {
    const [row] = this.rows<{ balance: bigint }>(
      'SELECT "balance" FROM "Account" WHERE "kind" = ? AND "owner" = ?',
      kind,
      owner,
    )
    return row?.balance ?? 0n
  }

  /** Returns the balances of these kinds' accounts, without empty ones. */
  balances(kinds: readonly string[]): Map<string, bigint> {
    const rows = this.rows<{ kind: string; owner: string; balance: bigint }>(
      `SELECT "kind", "owner", "balance" FROM "Account" WHERE "balance" <> 0 AND "kind" IN (${kinds.map(() => '?')})`,
      ...kinds,
    )
    return new Map(rows.map(({ kind, owner, balance }) => [`${kind}:${owner}`, balance]))
  }

  /** Runs any query on the book. Every integer is a bigint. */
  rows<Row>(sql: string, ...values: unknown[]): Row[] {
    return this.#source.rows(sql, ...values)
  }

  #account(id: number): WatchedAccount {
    const known = this.#accounts.get(id)
    if (known !== undefined) return known
    const [row] = this.rows<{ kind: string; owner: string }>('SELECT "kind", "owner" FROM "Account" WHERE "id" = ?', id)
    const account = { kind: row?.kind ?? '?', owner: row?.owner ?? '?', balance: 0n }
    this.#accounts.set(id, account)
    return account
  }

  #compare(id: number): string[] {
    const { kind, owner, balance } = this.#account(id)
    const [row] = this.rows<{ balance: bigint }>('SELECT "balance" FROM "Account" WHERE "id" = ?', id)
    const name = `the ${this.#side}'s ${kind} ${owner}`
    const faults: string[] = []
    if (row?.balance !== balance) faults.push(`${name} shows ${row?.balance} msats, but its moves make ${balance}`)
    const sign = this.#chart[kind]
    if (sign === undefined) faults.push(`${name} is of no kind that the chart has`)
    if ((sign === 'credit' && balance < 0n) || (sign === 'debit' && balance > 0n)) {
      faults.push(`${name} stands at ${balance} msats, on the wrong side`)
    }
    return faults
  }
}
