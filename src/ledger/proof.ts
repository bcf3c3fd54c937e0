import { Sql } from '@prisma/client/runtime/client'
import type { RawClient } from '../lib/database/engine/raw-transactions.ts'
import { type AccountName, type Chart, standsWell } from './chart.ts'

/** The result of recomputing a book from its journal. */
export interface Proof {
  readonly holds: boolean
  readonly accounts: number
  readonly entries: number
  readonly moves: number
  /** Msats a kind, all accounts together. They sum to zero. */
  readonly totals: Readonly<Record<string, bigint>>
  /** What is wrong, each as a sentence naming the account or entry. */
  readonly faults: readonly string[]
}

interface Line extends AccountName {
  readonly balance: bigint
  readonly moved: bigint
}

/**
 * Proves a book: every balance equals what was moved in less what was moved out, stands on its side of zero, and all
 * balances sum to zero; no entry is empty; each move names the moves before it of both its accounts.
 */
export async function proveBook(client: RawClient, chart: Chart): Promise<Proof> {
  const faults: string[] = []
  const totals = new Map<string, bigint>()
  const [counts] = await client.$queryRaw<{ accounts: bigint; entries: bigint; moves: bigint; empty: bigint }[]>(
    new Sql(
      [
        'SELECT (SELECT COUNT(*) FROM "Account") AS "accounts", (SELECT COUNT(*) FROM "Entry") AS "entries", ' +
          '(SELECT COUNT(*) FROM "Move") AS "moves", ' +
          '(SELECT COUNT(*) FROM "Entry" AS e WHERE NOT EXISTS (SELECT 1 FROM "Move" AS m WHERE m."entryId" = e."id")) AS "empty"',
      ],
      [],
    ),
  )
  if (Number(counts?.empty ?? 0) > 0) faults.push(`${counts?.empty} entries move nothing`)
  for (const row of await client.$queryRaw<{ kind: string; total: bigint }[]>(
    new Sql(['SELECT "kind", SUM("balance") AS "total" FROM "Account" GROUP BY "kind" ORDER BY "kind"'], []),
  ))
    totals.set(row.kind, BigInt(row.total))
  const sum = [...totals.values()].reduce((all, total) => all + total, 0n)
  if (sum !== 0n) faults.push(`all balances together are ${sum} msats, not 0`)
  for (const line of await suspects(client, chart)) faults.push(describe(chart, line))
  for (const { kind, owner } of await brokenChains(client))
    faults.push(`the moves of ${kind} ${owner} are not chained as they were made`)
  return {
    holds: faults.length === 0,
    accounts: Number(counts?.accounts ?? 0),
    entries: Number(counts?.entries ?? 0),
    moves: Number(counts?.moves ?? 0),
    totals: Object.fromEntries(totals),
    faults,
  }
}

/** The accounts whose balance differs from their moves, or stands on the wrong side. */
async function suspects(client: RawClient, chart: Chart): Promise<Line[]> {
  const rows = await client.$queryRaw<{ kind: string; owner: string; balance: bigint; moved: bigint }[]>(
    new Sql(
      [
        'SELECT a."kind", a."owner", a."balance", COALESCE(i."amount", 0) - COALESCE(o."amount", 0) AS "moved" FROM "Account" AS a ' +
          'LEFT JOIN (SELECT "toId" AS "id", SUM("amount") AS "amount" FROM "Move" GROUP BY "toId") AS i ON i."id" = a."id" ' +
          'LEFT JOIN (SELECT "fromId" AS "id", SUM("amount") AS "amount" FROM "Move" GROUP BY "fromId") AS o ON o."id" = a."id" ' +
          'WHERE a."balance" <> COALESCE(i."amount", 0) - COALESCE(o."amount", 0) OR a."balance" <> 0 ORDER BY a."id"',
      ],
      [],
    ),
  )
  return rows
    .map((row) => ({ ...row, moved: BigInt(row.moved) }))
    .filter((row) => row.balance !== row.moved || !(row.kind in chart) || !standsWell(chart, row.kind, row.balance))
}

/** The accounts of which a move does not name the one before it, or whose newest move is not the one they name. */
async function brokenChains(client: RawClient): Promise<AccountName[]> {
  return client.$queryRaw<AccountName[]>(
    new Sql(
      [
        'WITH line AS (SELECT "toId" AS "account", "id", "toPreviousId" AS "previous" FROM "Move" ' +
          'UNION ALL SELECT "fromId", "id", "fromPreviousId" FROM "Move"), ' +
          'link AS (SELECT "account", "id", "previous", LAG("id") OVER (PARTITION BY "account" ORDER BY "id") AS "before" FROM line), ' +
          'newest AS (SELECT "account", MAX("id") AS "id" FROM line GROUP BY "account") ' +
          'SELECT a."kind", a."owner" FROM "Account" AS a LEFT JOIN newest ON newest."account" = a."id" ' +
          'WHERE a."lastMoveId" IS DISTINCT FROM newest."id" ' +
          'OR a."id" IN (SELECT "account" FROM link WHERE "previous" IS DISTINCT FROM "before") ORDER BY a."id"',
      ],
      [],
    ),
  )
}

function describe(chart: Chart, line: Line): string {
  const name = `${line.kind} ${line.owner}`
  if (line.balance !== line.moved) return `${name} shows ${line.balance} msats, but its moves make ${line.moved}`
  if (!(line.kind in chart)) return `${name} is of a kind that the chart of accounts does not have`
  return `${name} stands at ${line.balance} msats, on the wrong side`
}
