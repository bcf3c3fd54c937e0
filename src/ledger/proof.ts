import { Sql } from '@prisma/client/runtime/client'
import type { RawClient } from './change.ts'
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
 * balances sum to zero; no entry is empty.
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
          'WHERE a."balance" <> COALESCE(i."amount", 0) - COALESCE(o."amount", 0) OR a."balance" <> 0',
      ],
      [],
    ),
  )
  return rows
    .map((row) => ({ ...row, moved: BigInt(row.moved) }))
    .filter((row) => row.balance !== row.moved || !(row.kind in chart) || !standsWell(chart, row.kind, row.balance))
}

function describe(chart: Chart, line: Line): string {
  const name = `${line.kind} ${line.owner}`
  if (line.balance !== line.moved) return `${name} shows ${line.balance} msats, but its moves make ${line.moved}`
  if (!(line.kind in chart)) return `${name} is of a kind that the chart of accounts does not have`
  return `${name} stands at ${line.balance} msats, on the wrong side`
}
