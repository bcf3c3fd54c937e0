import { Sql } from '@prisma/client/runtime/client'
import type { RawClient } from '../lib/database/engine/raw-transactions.ts'

/** Money on an account that waits for an operation to end. */
export interface Holding {
  readonly owner: string
  /** The operation that brought it there and has not taken it away. */
  readonly operation: string
  /** Msats; never zero. */
  readonly amount: bigint
}

/**
 * What the accounts of a kind hold for each operation, by the journal alone: what an operation moved there less what it
 * moved away. Operations that have ended are left out.
 */
export async function readHoldings(client: RawClient, kind: string): Promise<Holding[]> {
  const rows = await client.$queryRaw<{ owner: string; operation: string; amount: bigint | number }[]>(
    new Sql(
      [
        `SELECT a."owner", e."operation", SUM(t."amount") AS "amount" FROM (
           SELECT "toId" AS "account", "entryId", "amount" FROM "Move"
           UNION ALL SELECT "fromId", "entryId", -"amount" FROM "Move") AS t
         JOIN "Account" AS a ON a."id" = t."account" JOIN "Entry" AS e ON e."id" = t."entryId" WHERE a."kind" = `,
        ' GROUP BY a."id", e."operation" HAVING SUM(t."amount") <> 0 ORDER BY e."operation"',
      ],
      [kind],
    ),
  )
  return rows.map(({ owner, operation, amount }) => ({ owner, operation, amount: BigInt(amount) }))
}

/** What a record says that it keeps on an account. */
export interface ExpectedHolding {
  readonly kind: string
  readonly owner: string
  /** The operation in the journal; undefined where the whole account belongs to the record. */
  readonly operation: string | undefined
  /** What it is, and how it stands: `withdrawal`, `unknown`. */
  readonly noun: string
  readonly state: string
  /** Msats. */
  readonly amount: bigint
  readonly since: Date
}

/**
 * Asks each noun's records what they hold. Every query selects, in this order: kind, owner, operation (or NULL), noun,
 * state, amount, createdAt.
 */
export async function readExpectedHoldings(client: RawClient, queries: readonly string[]): Promise<ExpectedHolding[]> {
  interface Line extends Omit<ExpectedHolding, 'operation' | 'amount' | 'since'> {
    readonly operation: string | null
    readonly amount: bigint | number
    readonly createdAt: string | number | Date
  }
  const names = '"kind", "owner", "operation", "noun", "state", "amount", "createdAt"'
  const sql = `WITH holdings(${names}) AS (${queries.join(' UNION ALL ')}) SELECT ${names} FROM holdings ORDER BY "createdAt"`
  const rows = await client.$queryRaw<Line[]>(new Sql([sql], []))
  return rows.map(({ operation, amount, createdAt, ...row }) => ({
    ...row,
    operation: operation ?? undefined,
    amount: BigInt(amount),
    since: new Date(createdAt),
  }))
}

/**
 * Whether a kind's holdings are compared operation by operation, or account by account: a pot is filled by one operation
 * and emptied by many.
 */
export type HoldingKinds = Readonly<Record<string, 'operation' | 'account'>>

/** Something that the journal and the records tell differently. */
export interface HoldingFault {
  /** The operation, or the account's owner. */
  readonly about: string
  /** A sentence with all of the values. */
  readonly what: string
}

/** Compares what the journal holds on accounts of these kinds with what the open records say that they hold. */
export async function compareHoldings(
  client: RawClient,
  kinds: HoldingKinds,
  expected: readonly ExpectedHolding[],
): Promise<HoldingFault[]> {
  const faults: HoldingFault[] = []
  for (const [kind, by] of Object.entries(kinds)) {
    const aboutOf = (each: { owner: string; operation: string | undefined }) =>
      by === 'account' ? each.owner : (each.operation ?? each.owner)
    const keyOf = (each: { owner: string; operation: string | undefined }) => `${aboutOf(each)} of ${each.owner}`
    const records = new Map(expected.filter((each) => each.kind === kind).map((each) => [keyOf(each), each]))
    const journal = new Map<string, { owner: string; operation: string; amount: bigint }>()
    for (const each of await readHoldings(client, kind)) {
      const before = journal.get(keyOf(each))?.amount ?? 0n
      journal.set(keyOf(each), { ...each, amount: before + each.amount })
    }
    for (const key of new Set([...journal.keys(), ...records.keys()])) {
      const [held, record] = [journal.get(key), records.get(key)]
      const [real, said] = [held?.amount ?? 0n, record?.amount ?? 0n]
      const either = record ?? held
      if (real === said || either === undefined) continue
      const about = aboutOf(either)
      const story = record
        ? `its record (${record.noun}, ${record.state}) says ${said}`
        : 'no open record explains them'
      faults.push({ about, what: `${kind} ${either.owner} holds ${real} msats for ${about}, but ${story}` })
    }
  }
  return faults
}
