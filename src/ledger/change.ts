import type { RawClient } from '../lib/database/engine/raw-transactions.ts'
import type { Msats } from '../lib/money/amount.ts'
import type { AccountName } from './chart.ts'

/** A movement of money from one account to another. Every entry consists of moves, so it always sums to zero. */
export interface Move {
  readonly from: AccountName
  readonly to: AccountName
  readonly amount: Msats
}

/**
 * One step of an operation in the journal. An operation can have each step once, and only one of `post` and `void`: a
 * second one is refused with AlreadyWritten. Moves of zero are omitted, so callers need not check for them.
 */
export interface Entry {
  readonly operation: string
  readonly step: string
  readonly moves: readonly Move[]
}

/** A row to insert. Rows of one table with the same columns are inserted with one statement. */
export interface Row {
  readonly table: string
  readonly values: Readonly<Record<string, string | number | bigint | boolean | Date | null>>
}

/** A row as the database returns it: 64-bit numbers are bigint, and the driver decides the type of times. */
export type FoundRow = Readonly<Record<string, unknown>>

/**
 * A change's condition on the rows with a key, and their new values. All conditions of a batch are read, judged and
 * written together, like its entries.
 */
export interface Condition {
  readonly table: string
  /** The values of the columns by which an index finds the rows. */
  readonly key: Readonly<Record<string, string>>
  /** SQL that the rows must satisfy. Its text matches that of a partial index. */
  readonly within?: string
  /**
   * Returns why the change is refused, given the present rows; undefined if it is permitted. Must read nothing but
   * these rows.
   */
  readonly refusal: (rows: readonly FoundRow[]) => Error | undefined
  /** New values for the row with this key, if there is one. Default: the row does not change. */
  readonly set?: Row['values']
  /** Values that the row must still have at the write. Otherwise the database itself refuses the batch. */
  readonly expect?: Readonly<Record<string, string>>
}

/** Writes that become durable together, or not at all. */
export interface LedgerChange<Tx, T = void> {
  readonly entries?: readonly Entry[]
  /** Accounts of the entries that must not become negative, although other accounts of their kind may. */
  readonly solvent?: readonly AccountName[]
  /**
   * Rows to insert, for hot paths: together with the rows of the batch's other changes. If one violates a unique key,
   * only its own change is refused.
   */
  readonly rows?: readonly Row[]
  /** Conditions, for hot paths, instead of `write`: what other rows must contain, and their new values. */
  readonly conditions?: readonly Condition[]
  /**
   * Runs further statements in the same transaction, such as a conditional update. Throws to refuse the change, of
   * which nothing is then stored. May run a second time if the first transaction failed as a whole, so it must use
   * nothing but `tx`.
   */
  readonly write?: (tx: Tx) => Promise<T>
  /**
   * Whether the change gets a separate transaction. A batch's moves are written after every `write`, so a `write` does
   * not see what the moves of the batch's other changes, or a trigger on those moves, change. A change whose `write`
   * reads such data must be alone.
   */
  readonly alone?: true
}

/** The parts of a generated Prisma client that the ledger uses. */
export interface LedgerClient<Tx> extends RawClient {
  $transaction<R>(run: (tx: Tx) => Promise<R>, options?: { maxWait?: number; timeout?: number }): Promise<R>
}
