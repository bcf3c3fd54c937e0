import { Sql } from '@prisma/client/runtime/client'
import type { AskRaw, RawClient } from '../lib/database/engine/raw-transactions.ts'
import type { RowWords } from '../lib/database/engine/row-words.ts'
import { type AccountName, accountKey } from './chart.ts'

/** A move from the point of view of one of its accounts. */
export interface HistoryLine {
  readonly id: number
  readonly operation: string
  readonly step: string
  readonly at: Date
  /** The amount in msats; positive if the account received it. */
  readonly amount: bigint
  readonly other: AccountName
}

/** A move, and its account's balance after it, in msats. */
export interface StatementLine extends HistoryLine {
  /** The account's owner. */
  readonly owner: string
  readonly balance: bigint
}

/** Where a page of a statement begins: before this move, with the account's balance at that point. */
export interface StatementPlace {
  readonly before: number
  readonly balance: bigint
}

/** A client for reading a book, and the SQL forms of its database. */
export interface Reading {
  readonly client: RawClient
  readonly rows: RowWords
}

export async function readBalances(
  { client, rows: words }: { readonly client: AskRaw; readonly rows: RowWords },
  accounts: readonly AccountName[],
): Promise<Map<string, bigint>> {
  // Stryker disable next-line ConditionalExpression: without accounts there are no rows.
  if (accounts.length === 0) return new Map()
  const rows = await client.$queryRaw<{ kind: string; owner: string; balance: bigint }[]>(
    accountsNamed(words, 'a."kind", a."owner", a."balance"', accounts),
  )
  return new Map(rows.map((row) => [accountKey(row), row.balance]))
}

/** Returns a query that selects columns of the accounts with these names; the query calls the accounts `a`. */
export function accountsNamed(words: RowWords, columns: string, names: readonly AccountName[]): Sql {
  const wanted = words.as(
    'wanted',
    ['kind', 'owner'],
    names.map(({ kind, owner }) => [kind, owner]),
  )
  const join = ' JOIN "Account" AS a ON a."kind" = wanted."kind" AND a."owner" = wanted."owner"'
  return new Sql([`SELECT ${columns} FROM `, join], [wanted])
}

/**
 * Follows the chain of an account's moves back from the newest, or from the one before the move `before`. Returns the
 * moves in that order: to sort them by id, SQLite would search the whole journal.
 */
export async function readHistory(
  client: AskRaw,
  account: AccountName,
  page: { limit: number; before?: number },
): Promise<HistoryLine[]> {
  return (await askHistory(client, account, page)).map(lineOf)
}

/**
 * Returns an account's moves, newest first, with its balance after each; undefined if the page would begin at a move of
 * another account.
 */
export async function readStatement(
  client: AskRaw,
  account: AccountName,
  { limit, from }: { limit: number; from?: StatementPlace },
): Promise<StatementLine[] | undefined> {
  if (from !== undefined && !(await isMoveOf(client, account, from.before))) return undefined
  const rows = await askHistory(client, account, { limit, ...(from !== undefined && { before: from.before }) })
  let balance = BigInt(from?.balance ?? rows[0]?.held ?? 0n)
  return rows.map((row) => {
    const line = { ...lineOf(row), owner: account.owner, balance }
    balance -= line.amount
    return line
  })
}

interface HistoryRow {
  readonly id: number
  readonly operation: string
  readonly step: string
  readonly at: Date
  readonly amount: bigint
  readonly received: number | bigint
  readonly kind: string
  readonly owner: string
  /** The account's present balance. */
  readonly held: bigint
}

function askHistory(client: AskRaw, account: AccountName, { limit, before }: { limit: number; before?: number }) {
  return client.$queryRaw<HistoryRow[]>(
    before === undefined ? historyFrom(NEWEST, account, [], limit) : historyFrom(BEFORE, account, [before], limit),
  )
}

function lineOf(row: HistoryRow): HistoryLine {
  return {
    id: Number(row.id),
    operation: row.operation,
    step: row.step,
    at: new Date(row.at),
    amount: Number(row.received) === 1 ? row.amount : -row.amount,
    other: { kind: row.kind, owner: row.owner },
  }
}

async function isMoveOf(client: AskRaw, { kind, owner }: AccountName, moveId: number): Promise<boolean> {
  const texts = [
    'SELECT m."id" FROM "Move" AS m JOIN "Account" AS a ON a."id" IN (m."fromId", m."toId") WHERE m."id" = ',
    ' AND a."kind" = ',
    ' AND a."owner" = ',
    '',
  ]
  return (await client.$queryRaw<unknown[]>(new Sql(texts, [moveId, kind, owner]))).length > 0
}

const PREVIOUS = 'CASE WHEN m."toId" = me."id" THEN m."toPreviousId" ELSE m."fromPreviousId" END'
const NEWEST = ['SELECT me."lastMoveId", 1 FROM me ']
const BEFORE = [
  `SELECT ${PREVIOUS}, 1 FROM "Move" AS m JOIN me ON me."id" IN (m."fromId", m."toId") WHERE m."id" = `,
  ' ',
]

function historyFrom(start: readonly string[], account: AccountName, values: readonly number[], limit: number): Sql {
  const [head = '', tail] = start
  const texts = [
    'WITH RECURSIVE me AS (SELECT "id", "lastMoveId", "balance" FROM "Account" WHERE "kind" = ',
    ' AND "owner" = ',
    `), line("id", "nth") AS (${head}`,
    ...(tail === undefined ? [] : [tail]),
  ]
  const walk =
    `UNION ALL SELECT ${PREVIOUS}, line."nth" + 1 FROM line JOIN "Move" AS m ON m."id" = line."id" JOIN me ON 1 = 1 ` +
    'WHERE line."nth" < '
  texts.push(`${texts.pop()}${walk}`)
  texts.push(
    ') SELECT m."id", e."operation", e."step", e."at", m."amount", m."toId" = me."id" AS "received", other."kind", other."owner", me."balance" AS "held" ' +
      'FROM line JOIN me ON 1 = 1 JOIN "Move" AS m ON m."id" = line."id" JOIN "Entry" AS e ON e."id" = m."entryId" ' +
      'JOIN "Account" AS other ON other."id" = CASE WHEN m."toId" = me."id" THEN m."fromId" ELSE m."toId" END ' +
      'ORDER BY line."nth"',
  )
  return new Sql(texts, [account.kind, account.owner, ...values, limit])
}
