import { Sql } from '@prisma/client/runtime/client'
import type { RawClient } from './change.ts'

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
