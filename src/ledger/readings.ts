import { Sql } from '@prisma/client/runtime/client'
import type { RawClient } from './change.ts'
import { type AccountName, accountKey } from './chart.ts'
import { valuesList } from './statements.ts'

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

export async function readBalances(client: RawClient, accounts: readonly AccountName[]): Promise<Map<string, bigint>> {
  if (accounts.length === 0) return new Map()
  const rows = await client.$queryRaw<{ kind: string; owner: string; balance: bigint }[]>(
    valuesList(
      'SELECT a."kind", a."owner", a."balance" FROM (VALUES ',
      accounts.map((account) => [account.kind, account.owner]),
      ') AS v JOIN "Account" AS a ON a."kind" = v.column1 AND a."owner" = v.column2',
    ),
  )
  return new Map(rows.map((row) => [accountKey(row), row.balance]))
}

export async function readHistory(
  client: RawClient,
  account: AccountName,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number },
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
  >(
    new Sql(
      [
        'SELECT m."id", e."operation", e."step", e."at", m."amount", m."toId" = me."id" AS "received", other."kind", other."owner" ' +
          'FROM "Account" AS me JOIN "Move" AS m ON m."fromId" = me."id" OR m."toId" = me."id" ' +
          'JOIN "Entry" AS e ON e."id" = m."entryId" ' +
          'JOIN "Account" AS other ON other."id" = CASE WHEN m."toId" = me."id" THEN m."fromId" ELSE m."toId" END ' +
          'WHERE me."kind" = ',
        ' AND me."owner" = ',
        ' AND m."id" < ',
        ' ORDER BY m."id" DESC LIMIT ',
        '',
      ],
      [account.kind, account.owner, before, limit],
    ),
  )
  return rows.map((row) => ({
    id: Number(row.id),
    operation: row.operation,
    step: row.step,
    at: new Date(row.at),
    amount: Number(row.received) === 1 ? row.amount : -row.amount,
    other: { kind: row.kind, owner: row.owner },
  }))
}
