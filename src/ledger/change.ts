import type { RawClient } from '../lib/database/engine/raw-transactions.ts'
import type { Msats } from '../lib/money/amount.ts'
import type { AccountName } from './chart.ts'

/** Money going from one account to another. Every entry is made of moves, so it sums to zero by construction. */
export interface Move {
  readonly from: AccountName
  readonly to: AccountName
  readonly amount: Msats
}

/**
 * A step of an operation in the journal. An operation can have each step once, and only one of `post` and `void`:
 * the second one is refused with AlreadyWritten. Moves of zero are left out, so that callers need not care.
 */
export interface Entry {
  readonly operation: string
  readonly step: string
  readonly moves: readonly Move[]
}

/** A row to insert; rows of one table with the same columns become one statement. */
export interface Row {
  readonly table: string
  readonly values: Readonly<Record<string, string | number | bigint | boolean | Date | null>>
}

/** A row as the database has it: numbers of 64 bits are bigint, and times are whatever its driver makes of them. */
export type FoundRow = Readonly<Record<string, unknown>>

/**
 * A condition on the rows with a key for a change, and their new values. All conditions of a batch are read, judged and
 * written together, as its entries are.
 */
export interface Condition {
  readonly table: string
  /** Values of columns, by which an index finds the rows. */
  readonly key: Readonly<Record<string, string>>
  /** Leaves out rows for which this SQL is false, in the words of a partial index. */
  readonly within?: string
  /** Why the change is refused, given the present rows; undefined if it is allowed. It looks at nothing else. */
  readonly refusal: (rows: readonly FoundRow[]) => Error | undefined
  /** New values for the row with this key, if there is one; left out: nothing changes. */
  readonly set?: Row['values']
  /** Values that the row must still have at the write: the database itself refuses the batch otherwise. */
  readonly expect?: Readonly<Record<string, string>>
}

/** Everything that must become durable together, or not at all. */
export interface LedgerChange<Tx, T = void> {
  readonly entries?: readonly Entry[]
  /** Accounts of the entries that must not end below zero, although others of their kind may. */
  readonly solvent?: readonly AccountName[]
  /** For the hot paths: inserted together with the rows of the neighbours. A unique key refuses only its own change. */
  readonly rows?: readonly Row[]
  /** For the hot paths, instead of `write`: what other rows must be, and become. */
  readonly conditions?: readonly Condition[]
  /**
   * Further statements in the same transaction, such as a conditional update. It throws to refuse: then nothing of the
   * change is kept. It may be run a second time when the first transaction failed as a whole, so it must do nothing
   * but use `tx`.
   */
  readonly write?: (tx: Tx) => Promise<T>
  /**
   * It has a transaction of its own. The moves of a batch are written after every `write` of it, so a `write` does not see what the moves
   * of its neighbours, or a trigger on them, change. One that reads that is alone.
   */
  readonly alone?: true
}

/** The parts of a generated Prisma client that the ledger uses. */
export interface LedgerClient<Tx> extends RawClient {
  $transaction<R>(run: (tx: Tx) => Promise<R>, options?: { maxWait?: number; timeout?: number }): Promise<R>
}
