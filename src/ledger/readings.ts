import { Sql } from '@prisma/client/runtime/client'
import type { AskRaw, RawClient } from '../lib/database/engine/raw-transactions.ts'
import type { RowWords } from '../lib/database/engine/row-words.ts'
import { type AccountName, accountKey } from './chart.ts'

/** A move as its account sees it. */
export interface HistoryLine {
  readonly id: number
  readonly operation: string
  readonly step: string
  readonly at: Date
  /** Msats; positive when the account received. */
  readonly amount: bigint
  readonly other: AccountName
}

/** Where a book is read: with a client, in its database's words. */
export interface Reading {
  readonly client: RawClient
  readonly rows: RowWords
}

export async function readBalances(
  { client, rows: words }: { readonly client: AskRaw; readonly rows: RowWords },
  accounts: readonly AccountName[],
): Promise<Map<string, bigint>> {
  // Stryker disable next-line ConditionalExpression: of no accounts there are no rows.
  if (accounts.length === 0) return new Map()
  const rows = await client.$queryRaw<{ kind: string; owner: string; balance: bigint }[]>(
    accountsNamed(words, 'a."kind", a."owner", a."balance"', accounts),
  )
  return new Map(rows.map((row) => [accountKey(row), row.balance]))
}

/** Selects columns of the accounts `a` with these names. */
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
 * Walks the chain of an account's moves back from its newest, or from before the move `before`. They are ordered as they were
 * walked: ordered by their ids, SQLite would go through the whole journal and look for these in it.
 */
export async function readHistory(
  client: RawClient,
  account: AccountName,
  { limit, before }: { limit: number; before?: number },
): Promise<HistoryLine[]> {
  const rows = await client.$queryRaw<
    {
      id: number
      operation: string
      step: string
      at: Date
      amount: bigint
      received: number | bigint
      kind: string
      owner: string
    }[]
  >(before === undefined ? historyFrom(NEWEST, account, [], limit) : historyFrom(BEFORE, account, [before], limit))
  return rows.map((row) => ({
    id: Number(row.id),
    operation: row.operation,
    step: row.step,
    at: new Date(row.at),
    amount: Number(row.received) === 1 ? row.amount : -row.amount,
    other: { kind: row.kind, owner: row.owner },
  }))
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
    'WITH RECURSIVE me AS (SELECT "id", "lastMoveId" FROM "Account" WHERE "kind" = ',
    ' AND "owner" = ',
    `), line("id", "nth") AS (${head}`,
    ...(tail === undefined ? [] : [tail]),
  ]
  const walk =
    `UNION ALL SELECT ${PREVIOUS}, line."nth" + 1 FROM line JOIN "Move" AS m ON m."id" = line."id" JOIN me ON 1 = 1 ` +
    'WHERE line."nth" < '
  texts.push(`${texts.pop()}${walk}`)
  texts.push(
    ') SELECT m."id", e."operation", e."step", e."at", m."amount", m."toId" = me."id" AS "received", other."kind", other."owner" ' +
      'FROM line JOIN me ON 1 = 1 JOIN "Move" AS m ON m."id" = line."id" JOIN "Entry" AS e ON e."id" = m."entryId" ' +
      'JOIN "Account" AS other ON other."id" = CASE WHEN m."toId" = me."id" THEN m."fromId" ELSE m."toId" END ' +
      'ORDER BY line."nth"',
  )
  return new Sql(texts, [account.kind, account.owner, ...values, limit])
}
