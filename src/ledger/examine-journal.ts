import { Sql } from '@prisma/client/runtime/client'
import type { RawClient } from '../lib/database/engine/raw-transactions.ts'

/** More faults of one sort than this are not listed one by one. */
const MAX_LISTED = 20

/**
 * Looks at a journal line by line, to name what a proof can only notice. Lines are numbered without gaps, each move
 * names the moves before it of both its accounts, and each account names its newest: so a line that was taken out, put
 * in or moved to another account behind the ledger's back leaves traces. Each fault is a sentence that names the line.
 */
export async function examineJournal(client: RawClient): Promise<string[]> {
  return [
    ...(await gaps(client, 'Entry', 'entries')),
    ...(await gaps(client, 'Move', 'moves')),
    ...(await emptyEntries(client)),
    ...(await brokenChains(client)),
    ...(await wrongNewest(client)),
  ]
}

async function gaps(client: RawClient, table: 'Entry' | 'Move', plural: string): Promise<string[]> {
  const rows = await ask<{ id: number; before: number }>(
    client,
    `SELECT "id", "before" FROM (SELECT "id", LAG("id", 1, 0) OVER (ORDER BY "id") AS "before" FROM "${table}") AS line
     WHERE "id" <> "before" + 1`,
  )
  return rows.map(({ id, before }) => {
    const [first, last] = [Number(before) + 1, Number(id) - 1]
    return first === last
      ? `${plural} jump from ${before} to ${id}: ${table.toLowerCase()} ${first} is missing from the journal`
      : `${plural} jump from ${before} to ${id}: ${plural} ${first} to ${last} are missing from the journal`
  })
}

async function emptyEntries(client: RawClient): Promise<string[]> {
  const rows = await ask<{ id: number; operation: string; step: string }>(
    client,
    `SELECT "id", "operation", "step" FROM "Entry" AS e
     WHERE NOT EXISTS (SELECT 1 FROM "Move" AS m WHERE m."entryId" = e."id")`,
  )
  return rows.map(({ id, operation, step }) => `entry ${id} (${operation}, ${step}) has no moves: they were taken out`)
}

async function brokenChains(client: RawClient): Promise<string[]> {
  const rows = await ask<{ id: number; kind: string; owner: string; named: number | null; real: number | null }>(
    client,
    `SELECT c."id", a."kind", a."owner", c."named", c."real" FROM (
       SELECT "id", "account", "named", LAG("id") OVER (PARTITION BY "account" ORDER BY "id") AS "real" FROM (
         SELECT "id", "fromId" AS "account", "fromPreviousId" AS "named" FROM "Move"
         UNION ALL SELECT "id", "toId", "toPreviousId" FROM "Move") AS line) AS c
     LEFT JOIN "Account" AS a ON a."id" = c."account"
     WHERE c."named" IS DISTINCT FROM c."real" ORDER BY c."id"`,
  )
  return rows.map(({ id, kind, owner, named, real }) => {
    const account = kind === null ? 'an account that does not exist' : `${kind} ${owner}`
    return `move ${id} of ${account} follows ${named ?? 'nothing'} by its own account, but ${real ?? 'nothing'} in the journal`
  })
}

async function wrongNewest(client: RawClient): Promise<string[]> {
  const rows = await ask<{ kind: string; owner: string; named: number | null; real: number | null }>(
    client,
    `SELECT a."kind", a."owner", a."lastMoveId" AS "named", n."id" AS "real" FROM "Account" AS a
     LEFT JOIN (SELECT "account", MAX("id") AS "id" FROM (
         SELECT "id", "fromId" AS "account" FROM "Move" UNION ALL SELECT "id", "toId" FROM "Move") AS line GROUP BY "account"
       ) AS n ON n."account" = a."id"
     WHERE a."lastMoveId" IS DISTINCT FROM n."id"`,
  )
  return rows.map(
    ({ kind, owner, named, real }) =>
      `the newest move of ${kind} ${owner} is ${named ?? 'none'} by its account, but ${real ?? 'none'} in the journal`,
  )
}

async function ask<Row>(client: RawClient, sql: string): Promise<Row[]> {
  return await client.$queryRaw<Row[]>(new Sql([`${sql} LIMIT ${MAX_LISTED}`], []))
}
