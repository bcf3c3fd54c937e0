import { Sql } from '@prisma/client/runtime/client'
import { isFaultOfChange, isUnavailable } from '../lib/database/database-errors.ts'
import type { RowWords, SqlValue } from '../lib/database/engine/row-words.ts'
import type { Entry, LedgerChange, LedgerClient, RawClient, Row } from './change.ts'
import { type AccountName, accountKey, type Chart, standsWell } from './chart.ts'
import type { Outcome } from './commit-queue.ts'
import { accountsNamed, type Reading } from './readings.ts'
import { AlreadyWritten, InsufficientFunds, LedgerUnavailable } from './refusals.ts'

interface Book<Tx> {
  readonly client: LedgerClient<Tx>
  readonly rows: RowWords
  readonly chart: Chart
  readonly at: Date
}

/** Long enough for a slow disk or another process's lock; the queue, not a timer, decides when a change runs. */
const TRANSACTION_TIMEOUTS = { maxWait: 60_000, timeout: 60_000 }

/**
 * Writes changes in one transaction. The first statement writes, so that the lock is held before anything is read; what
 * is read then cannot change any more, and each change can be judged in memory, in order, as if it were alone. What is
 * accepted is written with one statement a table.
 */
export async function writeBatch<Tx>(
  book: Book<Tx>,
  changes: readonly LedgerChange<Tx, unknown>[],
): Promise<Outcome[]> {
  try {
    return await book.client.$transaction(async (tx) => {
      const raw = { client: tx as RawClient, rows: book.rows }
      const accounts = await lockAccounts(raw, changes)
      const journal = await Journal.open(raw, changes)
      const outcomes: Outcome[] = []
      const accepted: LedgerChange<Tx, unknown>[] = []
      for (const change of changes) {
        const outcome = await judge(book.chart, accounts, journal, change, tx, changes.length === 1)
        outcomes.push(outcome)
        if (outcome.ok) accepted.push(change)
      }
      await writeEntries(raw, book.at, accounts, accepted)
      for (const rows of rowsByTable(accepted)) await raw.client.$executeRaw(insertRows(book.rows, rows))
      return outcomes
    }, TRANSACTION_TIMEOUTS)
  } catch (error) {
    // Whatever went wrong, the transaction was rolled back: an error of its COMMIT has ended the process.
    if (error instanceof RolledBack) return [{ ok: false, error: blamed(error.cause) }]
    throw isFaultOfChange(error) ? error : new LedgerUnavailable(error)
  }
}

/** Why a change failed: itself, or the database. */
function blamed(error: unknown): unknown {
  return isUnavailable(error) ? new LedgerUnavailable(error) : error
}

/** The only change of its transaction failed, for the reason that it names: all of it is rolled back. */
class RolledBack extends Error {
  override name = 'RolledBack'
}

interface OpenAccount {
  readonly id: number
  readonly stored: bigint
  balance: bigint
  /** The newest of its moves; each move names the one before, so that its history needs no index. */
  lastMoveId: number | null
}

/** An account as the database answers: where ids have 64 bits, they come as bigint. */
interface StoredAccount extends AccountName {
  readonly id: number | bigint
  readonly balance: bigint
  readonly lastMoveId: number | bigint | null
}

/** The accounts that a batch touches, and what they will hold when the changes accepted so far are written. */
class Accounts {
  readonly #accounts = new Map<string, OpenAccount>()

  add(name: AccountName, account: { id: number; balance: bigint; lastMoveId: number | null }): void {
    this.#accounts.set(accountKey(name), { ...account, stored: account.balance })
  }

  get(name: AccountName): OpenAccount {
    const account = this.#accounts.get(accountKey(name))
    if (!account) throw new Error(`${accountKey(name)} was not opened`)
    return account
  }

  has(name: AccountName): boolean {
    return this.#accounts.has(accountKey(name))
  }

  all(): IterableIterator<OpenAccount> {
    return this.#accounts.values()
  }
}

/** Which (operation, step) pairs exist, in the database or in the changes accepted so far. */
class Journal {
  readonly #steps: Set<string>

  private constructor(steps: Set<string>) {
    this.#steps = steps
  }

  static async open<Tx>(
    { client, rows: words }: Reading,
    changes: readonly LedgerChange<Tx, unknown>[],
  ): Promise<Journal> {
    const operations = [...new Set(changes.flatMap((change) => (change.entries ?? []).map((entry) => entry.operation)))]
    if (operations.length === 0) return new Journal(new Set())
    const rows = await client.$queryRaw<{ operation: string; step: string }[]>(
      new Sql(
        ['SELECT e."operation", e."step" FROM ', ' JOIN "Entry" AS e ON e."operation" = wanted."operation"'],
        [
          words.as(
            'wanted',
            ['operation'],
            operations.map((operation) => [operation]),
          ),
        ],
      ),
    )
    return new Journal(new Set(rows.map((row) => Journal.#key(row.operation, row.step))))
  }

  refuses(entry: Entry): boolean {
    if (this.#steps.has(Journal.#key(entry.operation, entry.step))) return true
    return (
      Journal.#ends(entry.step) && ['post', 'void'].some((end) => this.#steps.has(Journal.#key(entry.operation, end)))
    )
  }

  add(entry: Entry): void {
    this.#steps.add(Journal.#key(entry.operation, entry.step))
  }

  remove(entry: Entry): void {
    this.#steps.delete(Journal.#key(entry.operation, entry.step))
  }

  static #ends(step: string): boolean {
    return step === 'post' || step === 'void'
  }

  static #key(operation: string, step: string): string {
    return `${step} ${operation}`
  }
}

/** Accepts a change, or takes back everything that was noted of it. `alone`: nobody else is in the transaction. */
async function judge<Tx>(
  chart: Chart,
  accounts: Accounts,
  journal: Journal,
  change: LedgerChange<Tx, unknown>,
  tx: Tx,
  alone: boolean,
): Promise<Outcome> {
  const noted: Entry[] = []
  const takeBack = () => {
    for (const entry of noted) {
      journal.remove(entry)
      shift(accounts, entry, -1n)
    }
  }
  for (const entry of change.entries ?? []) {
    if (journal.refuses(entry)) {
      takeBack()
      return { ok: false, error: new AlreadyWritten(entry.operation, entry.step) }
    }
    journal.add(entry)
    shift(accounts, entry, 1n)
    noted.push(entry)
  }
  const short = overdrawn(chart, accounts, change)
  if (short) {
    takeBack()
    const { balance } = accounts.get(short.account)
    return { ok: false, error: new InsufficientFunds(short.account, balance, short.missing) }
  }
  if (!change.write) return { ok: true, value: undefined }
  if (alone) {
    // Without neighbours there is nothing to keep, so that the transaction itself is what is rolled back.
    const value = await Promise.try(change.write, tx).catch((cause: unknown) => {
      throw new RolledBack('the change failed', { cause })
    })
    return { ok: true, value }
  }
  const raw = tx as RawClient
  await raw.$executeRaw(statement('SAVEPOINT change'))
  try {
    const value = await change.write(tx)
    await raw.$executeRaw(statement('RELEASE SAVEPOINT change'))
    return { ok: true, value }
  } catch (error) {
    await raw.$executeRaw(statement('ROLLBACK TO SAVEPOINT change'))
    await raw.$executeRaw(statement('RELEASE SAVEPOINT change'))
    takeBack()
    return { ok: false, error: blamed(error) }
  }
}

function shift(accounts: Accounts, entry: Entry, direction: 1n | -1n): void {
  for (const move of entry.moves) {
    accounts.get(move.from).balance -= move.amount * direction
    accounts.get(move.to).balance += move.amount * direction
  }
}

function overdrawn<Tx>(chart: Chart, accounts: Accounts, change: LedgerChange<Tx, unknown>) {
  for (const entry of change.entries ?? []) {
    for (const account of entry.moves.flatMap((move) => [move.from, move.to])) {
      const { balance } = accounts.get(account)
      if (!standsWell(chart, account.kind, balance)) return { account, missing: balance < 0n ? -balance : balance }
    }
  }
  for (const account of change.solvent ?? []) {
    const { balance } = accounts.get(account)
    if (balance < 0n) return { account, missing: -balance }
  }
  return undefined
}

async function lockAccounts<Tx>(reading: Reading, changes: readonly LedgerChange<Tx, unknown>[]): Promise<Accounts> {
  const names = new Map<string, AccountName>()
  for (const change of changes)
    for (const entry of change.entries ?? [])
      for (const move of entry.moves) for (const name of [move.from, move.to]) names.set(accountKey(name), name)
  // The lock is taken before anything is read, here or in a change's `write`.
  const { client, rows } = reading
  await client.$executeRaw(statement('UPDATE "Account" SET "balance" = "balance" WHERE "id" = -1'))
  const accounts = new Accounts()
  await openAccounts(reading, accounts, [...names.values()])
  const unopened = [...names.values()].filter((name) => !accounts.has(name))
  if (unopened.length === 0) return accounts
  await client.$executeRaw(
    rows.insert(
      'Account',
      ['kind', 'owner'],
      unopened.map((name) => [name.kind, name.owner]),
    ),
  )
  await openAccounts(reading, accounts, unopened)
  return accounts
}

async function openAccounts(
  { client, rows: words }: Reading,
  accounts: Accounts,
  names: readonly AccountName[],
): Promise<void> {
  if (names.length === 0) return
  const rows = await client.$queryRaw<StoredAccount[]>(
    accountsNamed(words, 'a."id", a."kind", a."owner", a."balance", a."lastMoveId"', names),
  )
  for (const { id, balance, lastMoveId, ...name } of rows)
    accounts.add(name, { id: Number(id), balance, lastMoveId: lastMoveId === null ? null : Number(lastMoveId) })
}

async function writeEntries<Tx>(
  { client, rows: words }: Reading,
  at: Date,
  accounts: Accounts,
  changes: readonly LedgerChange<Tx, unknown>[],
): Promise<void> {
  const entries = changes.flatMap((change) => change.entries ?? [])
  if (entries.length === 0) return
  const [last] = await client.$queryRaw<{ entry: number | bigint | null; move: number | bigint | null }[]>(
    statement('SELECT (SELECT MAX("id") FROM "Entry") AS "entry", (SELECT MAX("id") FROM "Move") AS "move"'),
  )
  const firstEntry = Number(last?.entry ?? 0) + 1
  const firstMove = Number(last?.move ?? 0) + 1
  await client.$executeRaw(
    words.insert(
      'Entry',
      ['id', 'operation', 'step', 'at'],
      entries.map((entry, i) => [firstEntry + i, entry.operation, entry.step, at]),
    ),
  )
  const moves = chainMoves(accounts, entries, firstEntry, firstMove)
  const columns = ['id', 'entryId', 'fromId', 'toId', 'amount', 'fromPreviousId', 'toPreviousId']
  await client.$executeRaw(words.insert('Move', columns, moves))
  const moved = [...accounts.all()].filter((account) => (account.lastMoveId ?? 0) >= firstMove)
  await client.$executeRaw(
    new Sql(
      [
        'UPDATE "Account" SET "balance" = "balance" + moved."by", "lastMoveId" = moved."lastMoveId" FROM ',
        ' WHERE "Account"."id" = moved."id"',
      ],
      [
        words.as(
          'moved',
          ['id', 'by', 'lastMoveId'],
          moved.map(({ id, balance, stored, lastMoveId }) => [id, balance - stored, lastMoveId]),
        ),
      ],
    ),
  )
}

/** The rows of the moves, each with the moves before it of both its accounts. */
function chainMoves(
  accounts: Accounts,
  entries: readonly Entry[],
  firstEntry: number,
  firstMove: number,
): SqlValue[][] {
  const rows: SqlValue[][] = []
  for (const [i, entry] of entries.entries()) {
    for (const { from: fromName, to: toName, amount } of entry.moves) {
      if (amount === 0n) continue
      const [from, to] = [accounts.get(fromName), accounts.get(toName)]
      const id = firstMove + rows.length
      rows.push([id, firstEntry + i, from.id, to.id, amount, from.lastMoveId, to.lastMoveId])
      from.lastMoveId = id
      to.lastMoveId = id
    }
  }
  return rows
}

function rowsByTable<Tx>(changes: readonly LedgerChange<Tx, unknown>[]): Row[][] {
  const groups = new Map<string, Row[]>()
  for (const row of changes.flatMap((change) => change.rows ?? [])) {
    const key = `${row.table}(${Object.keys(row.values)})`
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()]
}

/** One insert for rows of one table with the same columns. */
function insertRows(words: RowWords, rows: readonly Row[]): Sql {
  const columns = Object.keys(rows[0]?.values ?? {})
  return words.insert(
    rows[0]?.table ?? '',
    columns,
    rows.map(({ values }) => columns.map((column) => values[column] ?? null)),
  )
}

function statement(text: string): Sql {
  return new Sql([text], [])
}
