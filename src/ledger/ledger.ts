import type { Clock } from '../lib/clock.ts'
import { createBatchLoader } from '../lib/database/batch-loader.ts'
import { readBook } from '../lib/database/database.ts'
import type { AskRaw, WriteRaw } from '../lib/database/engine/raw-transactions.ts'
import type { RowWords } from '../lib/database/engine/row-words.ts'
import type { Entry, LedgerChange, LedgerClient } from './change.ts'
import { type AccountName, accountKey, accountOfKey, type Chart } from './chart.ts'
import { type Batch, CommitQueue } from './commit-queue.ts'
import { type Proof, proveBook } from './proof.ts'
import {
  type HistoryLine,
  readBalances,
  readHistory,
  readStatement,
  type StatementLine,
  type StatementPlace,
} from './readings.ts'
import { writeBatch } from './write-batch.ts'

export type { Condition, Entry, FoundRow, LedgerChange, LedgerClient, Move, Row } from './change.ts'
export type { AccountName, Chart, Sign } from './chart.ts'
export { examineJournal } from './examine-journal.ts'
export {
  compareHoldings,
  type ExpectedHolding,
  type HoldingFault,
  type HoldingKinds,
  readExpectedHoldings,
} from './holdings.ts'
export { Journal } from './journal.ts'
export { type Proof, proveBook } from './proof.ts'
export { type HistoryLine, readHistory, type StatementLine, type StatementPlace } from './readings.ts'
export { AlreadyWritten, InsufficientFunds, LedgerUnavailable } from './refusals.ts'

/**
 * A double-entry book on its own database. The ledger contains accounts, entries and moves; its chart defines the kinds
 * of account.
 *
 * `commit` is the only way to write. It takes a change (entries, rows, further statements) and resolves when the whole
 * change is durable. If it rejects, nothing was written. Changes that arrive together share one transaction (group
 * commit), but each gets its own answer or refusal.
 */
export interface Ledger<Tx> {
  /**
   * Writes a change. Resolves to what its `write` returned. Throws
   * - InsufficientFunds if an account would end on the wrong side of zero,
   * - AlreadyWritten if an entry with the same operation and step exists, or the operation has ended,
   * - what `write` threw, or a condition's refusal,
   * - LedgerUnavailable if the database refused (full, locked, gone) before the COMMIT, so nothing was written.
   *
   * If COMMIT itself fails, nobody is answered, and the process ends (`lib/database/engine/watch-commits.ts`).
   */
  commit<T = void>(change: LedgerChange<Tx, T>): Promise<T>
  /**
   * Returns an account's balance in msats; 0n if it was never used. The balance is negative for accounts on the debit
   * side.
   */
  balance(account: AccountName): Promise<bigint>
  /** Returns several balances, by `accountKey`. Omits accounts that were never used. */
  balances(accounts: readonly AccountName[]): Promise<Map<string, bigint>>
  /** Returns an account's moves, newest first. `before` is the `id` of the previous page's last line. */
  history(account: AccountName, options: { limit: number; before?: number }): Promise<HistoryLine[]>
  /**
   * Returns an account's moves, newest first, with its balance after each. `from`: the end of the previous page.
   * Returns undefined if the account has no such move.
   */
  statement(
    account: AccountName,
    options: { limit: number; from?: StatementPlace },
  ): Promise<StatementLine[] | undefined>
  /** Recomputes every balance from the journal. */
  prove(): Promise<Proof>
  /** Finishes accepted requests and refuses later ones. */
  close(): Promise<void>
}

export interface LedgerOptions<Client extends LedgerClient<Tx>, Tx> {
  readonly database: {
    readonly read: Client
    readonly write: Client
    readonly writeRaw: WriteRaw
    readonly readRaw: AskRaw
    readonly rows: RowWords
    readonly url: string
    readonly variable: string
  }
  readonly chart: Chart
  readonly clock: Clock
  /** The most changes in one transaction. */
  readonly maxBatch?: number
  /**
   * Called after every transaction, with the number of its changes and its duration. Only for measuring; must not
   * throw.
   */
  readonly onBatch?: (batch: { readonly changes: number; readonly durationMs: number }) => void
}

/** Opens the book in a database. */
export function createLedger<Tx, Client extends LedgerClient<Tx>>(options: LedgerOptions<Client, Tx>): Ledger<Tx> {
  const { database, chart, clock } = options
  const { rows, writeRaw } = database
  const reading = { client: database.readRaw, rows }
  const write: Batch<Tx> = async (changes, released) => {
    const begun = clock.monotonic()
    const at = new Date(clock.now())
    const outcomes = await writeBatch({ client: database.write, writeRaw, rows, chart, at }, changes, released)
    options.onBatch?.({ changes: changes.length, durationMs: clock.monotonic() - begun })
    return outcomes
  }
  // Balances that are requested together share one query.
  const balances = createBatchLoader<string, bigint>({
    load: (keys) => readBalances(reading, keys.map(accountOfKey)),
  })
  const queue = new CommitQueue<Tx>(write, options.maxBatch ?? 256)
  return {
    async commit(change) {
      for (const entry of change.entries ?? []) checkEntry(entry)
      if (change.write && change.conditions)
        throw new TypeError('a change can have conditions or its own statements, but not both')
      return queue.add(change)
    },
    balance: async (account) => (await balances.load(accountKey(account))) ?? 0n,
    balances: (accounts) => readBalances(reading, accounts),
    history: (account, page) => readHistory(database.read, account, page),
    statement: (account, page) => readStatement(database.readRaw, account, page),
    prove: () => readBook({ ...database, durable: true }, (read) => proveBook(read, chart)),
    close: () => queue.close(),
  }
}

/** Refuses an entry that moves nothing, or a negative amount, before it is queued: either is a caller's mistake. */
function checkEntry(entry: Entry): void {
  const wrong = entry.moves.find((move) => move.amount < 0n)
  if (wrong) throw new RangeError(`${entry.operation} ${entry.step} moves a negative amount: ${wrong.amount} msats`)
  if (!entry.moves.some((move) => move.amount > 0n))
    throw new RangeError(`${entry.operation} ${entry.step} moves nothing`)
}

export { accountKey }
