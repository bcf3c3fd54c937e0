import { Sql } from '@prisma/client/runtime/client'
import { isFaultOfChange, isUnavailable } from '../lib/database/database-errors.ts'
import type { RawClient, WriteRaw } from '../lib/database/engine/raw-transactions.ts'
import type { RowWords, SqlValue } from '../lib/database/engine/row-words.ts'
import type { Entry, LedgerChange, LedgerClient, Row } from './change.ts'
import { type AccountName, accountKey, type Chart } from './chart.ts'
import type { Outcome } from './commit-queue.ts'
import { readConditions, updateStatements } from './conditions.ts'
import { Accounts, type BatchState, Journal, judgeChange } from './judge-change.ts'
import { accountsNamed, type Reading } from './readings.ts'
import { LedgerUnavailable } from './refusals.ts'
import { entriesAtOnce } from './write-at-once.ts'

interface Book<Tx> {
  readonly client: LedgerClient<Tx>
  readonly writeRaw: WriteRaw
  readonly rows: RowWords
  readonly chart: Chart
  readonly at: Date
}

/**
 * Time limits that are long enough for a slow disk or another process's lock. The queue, not a timer, decides when a
 * change runs.
 */
const TRANSACTION_TIMEOUTS = { maxWait: 60_000, timeout: 60_000 }

/**
 * A statement that changes nothing, but takes the lock. It comes before everything that is read, here or in a change's
 * `write`: see `writeBatch`.
 */
const TAKE_LOCK = new Sql(['UPDATE "Account" SET "balance" = "balance" WHERE "id" = -1'], [])

type Changes<Tx> = readonly LedgerChange<Tx, unknown>[]

/**
 * Writes changes in one transaction. The first statement writes, so the lock is held before anything is read. Then
 * nothing that was read can change, and each change can be judged in memory, in order, as if it were alone. Accepted
 * changes are written with one statement for each table.
 *
 * A batch of changes that consist only of data goes to the database directly. A change's own statements need Prisma,
 * which takes longer over a statement than the database does.
 */
export async function writeBatch<Tx>(book: Book<Tx>, changes: Changes<Tx>, released?: () => void): Promise<Outcome[]> {
  try {
    const isData = changes.every(({ write }) => write === undefined)
    const needsReading = changes.some(({ conditions }) => conditions !== undefined)
    if (!isData) return await writeWithPrisma(book, changes)
    return await book.writeRaw((client) => writeData(book, client, changes), {
      ...(released && { released }),
      ...(book.rows.writesInWith && !needsReading && { atOnce: dataAtOnce(book, changes) }),
    })
  } catch (error) {
    // In any case, the transaction was rolled back: an error of its COMMIT has ended the process.
    if (error instanceof RolledBack) return [{ ok: false, error: blamed(error.cause) }]
    throw isFaultOfChange(error) ? error : new LedgerUnavailable(error)
  }
}

/** Returns statements that write everything without an earlier reading, provided that nothing is refused. */
function dataAtOnce<Tx>(book: Book<Tx>, changes: Changes<Tx>) {
  const entries = entriesAtOnce(book.rows, book, changes)
  const statements = rowsByTable(changes).map((rows) => insertRows(book.rows, rows))
  if (entries !== undefined) statements.unshift(entries)
  return { statements, value: changes.map((): Outcome => ({ ok: true, value: undefined })) }
}

async function writeData<Tx>(book: Book<Tx>, client: RawClient, changes: Changes<Tx>): Promise<Outcome[]> {
  const raw = { client, rows: book.rows }
  const [, state] = await inOrder([client.$executeRaw(TAKE_LOCK), openBatch(book.chart, raw, changes)])
  const accepted: LedgerChange<Tx, unknown>[] = []
  const outcomes = changes.map((change): Outcome => {
    const judgement = judgeChange(state, change)
    if (!judgement.ok) return judgement
    accepted.push(change)
    return { ok: true, value: undefined }
  })
  await writeAccepted(raw, book.at, state, accepted)
  return outcomes
}

function writeWithPrisma<Tx>(book: Book<Tx>, changes: Changes<Tx>): Promise<Outcome[]> {
  return book.client.$transaction(async (tx) => {
    const raw = { client: tx as RawClient, rows: book.rows }
    // Prisma starts a statement only when it is awaited. If both were requested together, a reading would come first.
    await raw.client.$executeRaw(TAKE_LOCK)
    const state = await openBatch(book.chart, raw, changes)
    const outcomes: Outcome[] = []
    const accepted: LedgerChange<Tx, unknown>[] = []
    for (const change of changes) {
      const judgement = judgeChange(state, change)
      // Stryker disable next-line ConditionalExpression: the savepoint, which separates neighbours, would undo the
      // same.
      const outcome = judgement.ok ? await runStatements(change, tx, changes.length === 1) : judgement
      if (judgement.ok && !outcome.ok) judgement.takeBack()
      if (outcome.ok) accepted.push(change)
      outcomes.push(outcome)
    }
    await writeAccepted(raw, book.at, state, accepted)
    return outcomes
  }, TRANSACTION_TIMEOUTS)
}

/**
 * Runs a change's own statements, and undoes them if one fails. `alone`: whether the transaction has no other change.
 */
async function runStatements<Tx>(change: LedgerChange<Tx, unknown>, tx: Tx, alone: boolean): Promise<Outcome> {
  if (!change.write) return { ok: true, value: undefined }
  // Stryker disable next-line ConditionalExpression: the savepoint, which separates neighbours, would undo the same.
  if (alone) {
    // Without neighbours there is nothing to preserve, so the transaction itself is rolled back.
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
    return { ok: false, error: blamed(error) }
  }
}

/** Returns the error itself, or LedgerUnavailable if the database caused it. */
function blamed(error: unknown): unknown {
  return isUnavailable(error) ? new LedgerUnavailable(error) : error
}

/** The only change of its transaction failed for the given reason, so all of it is rolled back. */
class RolledBack extends Error {
  override name = 'RolledBack'
}

/** Reads, under the lock, the state by which the changes are judged. */
async function openBatch<Tx>(chart: Chart, reading: Reading, changes: Changes<Tx>): Promise<BatchState> {
  const names = new Map<string, AccountName>()
  for (const change of changes)
    for (const entry of change.entries ?? [])
      for (const move of entry.moves) for (const name of [move.from, move.to]) names.set(accountKey(name), name)
  const [accounts, journal, next, found] = await inOrder([
    openAccounts(reading, [...names.values()]),
    openJournal(reading, changes),
    nextIds(reading),
    readConditions(reading, changes),
  ])
  return { chart, accounts, journal, next, found }
}

/** An account as the database returns it: 64-bit ids are bigint. */
interface StoredAccount extends AccountName {
  readonly id: number | bigint
  readonly balance: bigint
  readonly lastMoveId: number | bigint | null
}

async function openAccounts(reading: Reading, names: readonly AccountName[]): Promise<Accounts> {
  const accounts = new Accounts()
  await addAccounts(reading, accounts, names)
  const unopened = names.filter((name) => !accounts.has(name))
  // Stryker disable next-line ConditionalExpression: without names, nothing is found.
  if (unopened.length === 0) return accounts
  const rows = unopened.map((name) => [name.kind, name.owner])
  await reading.client.$executeRaw(reading.rows.insert('Account', ['kind', 'owner'], rows))
  await addAccounts(reading, accounts, unopened)
  return accounts
}

async function addAccounts(
  { client, rows: words }: Reading,
  accounts: Accounts,
  names: readonly AccountName[],
): Promise<void> {
  // Stryker disable next-line ConditionalExpression: without names, nothing is found.
  if (names.length === 0) return
  const rows = await client.$queryRaw<StoredAccount[]>(
    accountsNamed(words, 'a."id", a."kind", a."owner", a."balance", a."lastMoveId"', names),
  )
  for (const { id, balance, lastMoveId, ...name } of rows)
    accounts.add(name, { id: Number(id), balance, lastMoveId: lastMoveId === null ? null : Number(lastMoveId) })
}

async function openJournal<Tx>({ client, rows: words }: Reading, changes: Changes<Tx>): Promise<Journal> {
  const operations = [...new Set(changes.flatMap((change) => (change.entries ?? []).map((entry) => entry.operation)))]
  // Stryker disable next-line ConditionalExpression: without operations, nothing is found.
  if (operations.length === 0) return new Journal([])
  const wanted = words.as(
    'wanted',
    ['operation'],
    operations.map((operation) => [operation]),
  )
  const texts = ['SELECT e."operation", e."step" FROM ', ' JOIN "Entry" AS e ON e."operation" = wanted."operation"']
  return new Journal(await client.$queryRaw<{ operation: string; step: string }[]>(new Sql(texts, [wanted])))
}

async function writeAccepted<Tx>(raw: Reading, at: Date, state: BatchState, accepted: Changes<Tx>): Promise<void> {
  const entries = accepted.flatMap((change) => change.entries ?? [])
  const statements = rowsByTable(accepted).map((rows) => insertRows(raw.rows, rows))
  if (entries.length > 0) statements.unshift(...entryStatements(raw.rows, at, state, entries))
  const updates = updateStatements(raw.rows, state.found, accepted)
  const written = await inOrder(
    [...statements, ...updates.map(({ sql }) => sql)].map((each) => raw.client.$executeRaw(each)),
  )
  for (const [i, { rows }] of updates.entries())
    if (written[statements.length + i] !== rows)
      throw new Error('a row has changed since the check, so nothing was written')
}

async function nextIds({ client }: Reading): Promise<BatchState['next']> {
  const [last] = await client.$queryRaw<{ entry: number | bigint | null; move: number | bigint | null }[]>(
    statement('SELECT (SELECT MAX("id") FROM "Entry") AS "entry", (SELECT MAX("id") FROM "Move") AS "move"'),
  )
  return { entry: Number(last?.entry ?? 0) + 1, move: Number(last?.move ?? 0) + 1 }
}

function entryStatements(
  words: RowWords,
  at: Date,
  { accounts, next: { entry: firstEntry, move: firstMove } }: BatchState,
  entries: readonly Entry[],
): Sql[] {
  const written = entries.map((entry, i) => [firstEntry + i, entry.operation, entry.step, at])
  const moves = chainMoves(accounts, entries, firstEntry, firstMove)
  const moveColumns = ['id', 'entryId', 'fromId', 'toId', 'amount', 'fromPreviousId', 'toPreviousId']
  const moved = [...accounts.all()].filter((account) => (account.lastMoveId ?? 0) >= firstMove)
  const newBalances = words.as(
    'moved',
    ['id', 'by', 'lastMoveId'],
    moved.map(({ id, balance, stored, lastMoveId }) => [id, balance - stored, lastMoveId]),
  )
  const update = [
    'UPDATE "Account" SET "balance" = "balance" + moved."by", "lastMoveId" = moved."lastMoveId" FROM ',
    ' WHERE "Account"."id" = moved."id"',
  ]
  return [
    words.insert('Entry', ['id', 'operation', 'step', 'at'], written),
    words.insert('Move', moveColumns, moves),
    new Sql(update, [newBalances]),
  ]
}

/** Returns the moves' rows, each with the previous moves of both its accounts. */
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

function rowsByTable<Tx>(changes: Changes<Tx>): Row[][] {
  const groups = new Map<string, Row[]>()
  for (const row of changes.flatMap((change) => change.rows ?? [])) {
    const key = `${row.table}(${Object.keys(row.values)})`
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()]
}

/** Returns one statement that inserts rows of one table with the same columns. */
function insertRows(words: RowWords, rows: readonly Row[]): Sql {
  const columns = Object.keys(rows[0]?.values ?? {})
  return words.insert(
    rows[0]?.table ?? '',
    columns,
    rows.map(({ values }) => columns.map((column) => values[column] ?? null)),
  )
}

/**
 * Awaits statements that were sent together, which a remote database answers in one round trip. Throws the first
 * failure, but only after the last statement has ended, because no statement may still run during the ROLLBACK.
 */
async function inOrder<const T extends readonly PromiseLike<unknown>[]>(
  statements: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const ended = await Promise.allSettled(statements)
  const failed = ended.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return ended.map((each) => (each as PromiseFulfilledResult<unknown>).value) as never
}

function statement(text: string): Sql {
  return new Sql([text], [])
}
