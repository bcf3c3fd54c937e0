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

/** Everything that must become durable together, or not at all. */
export interface LedgerChange<Tx, T = void> {
  readonly entries?: readonly Entry[]
  /** Accounts of the entries that must not end below zero, although others of their kind may. */
  readonly solvent?: readonly AccountName[]
  /** For the hot paths: inserted together with the rows of the neighbours. A unique key refuses only its own change. */
  readonly rows?: readonly Row[]
  /**
   * Further statements in the same transaction, such as a conditional update. It throws to refuse: then nothing of the
   * change is kept. It may be run a second time when the first transaction failed as a whole, so it must do nothing
   * but use `tx`.
   */
  readonly write?: (tx: Tx) => Promise<T>
}

/** What the ledger uses of a generated Prisma client. */
export interface LedgerClient<Tx> extends RawClient {
  $transaction<R>(run: (tx: Tx) => Promise<R>, options?: { maxWait?: number; timeout?: number }): Promise<R>
}
