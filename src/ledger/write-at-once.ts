import { Sql } from '@prisma/client/runtime/client'
import type { RowWords, SqlValue } from '../lib/database/engine/row-words.ts'
import type { LedgerChange } from './change.ts'
import { type AccountName, accountKey, type Chart } from './chart.ts'

/** The bounds of a 64-bit column, for an account without its own bounds. */
const [LOWEST, HIGHEST] = [-(2n ** 63n), 2n ** 63n - 1n]

/** The effects of a batch's changes on an account, if each of them is accepted. */
interface Touched extends AccountName {
  /** The account's number in the batch, counted from one. */
  readonly nth: number
  by: bigint
  /**
   * The bounds within which the account's balance before the batch must be, so that each change can follow the earlier
   * ones.
   */
  least: bigint
  most: bigint
  /** The account's newest move in the batch, counted from one; 0 for none. */
  lastMove: number
}

interface Rows {
  readonly entries: SqlValue[][]
  readonly moves: SqlValue[][]
  readonly touched: ReadonlyMap<string, Touched>
}

/**
 * Returns one statement that writes the entries of all the changes, for a database that permits writing statements in a
 * WITH. The statement needs no earlier reading, so BEGIN, the lock and COMMIT can be sent with it. Under the lock, the
 * statement itself finds the ids of entries, moves and accounts, and the previous moves.
 *
 * The database refuses the whole statement if a single change would be refused: a balance beyond its bounds becomes
 * NULL, and so does an account that was never opened; an existing step breaks its unique key. Other code then decides
 * which change to refuse, and why.
 */
export function entriesAtOnce<Tx>(
  words: RowWords,
  book: { readonly chart: Chart; readonly at: Date },
  changes: readonly LedgerChange<Tx, unknown>[],
): Sql | undefined {
  const { entries, moves, touched } = rowsOf(book, changes)
  if (entries.length === 0) return undefined
  const accounts = [...touched.values()].map((each) => TOUCHED.map((column) => each[column]))
  return new Sql(WRITE_ENTRIES, [
    words.as('touched', TOUCHED, accounts),
    words.as('entries', ['nth', 'operation', 'step', 'at'], entries),
    words.as('moves', ['nth', 'entry', 'from', 'fromLast', 'to', 'toLast', 'amount'], moves),
  ])
}

const TOUCHED = ['nth', 'kind', 'owner', 'by', 'least', 'most', 'lastMove'] as const

const WRITE_ENTRIES = [
  `WITH "last" AS MATERIALIZED (
  SELECT (SELECT COALESCE(MAX("id"), 0) FROM "Entry") AS "entry", (SELECT COALESCE(MAX("id"), 0) FROM "Move") AS "move"
), "held" AS MATERIALIZED (
  SELECT touched.*, a."id", a."lastMoveId" FROM `,
  ` LEFT JOIN "Account" AS a ON a."kind" = touched."kind" AND a."owner" = touched."owner"
), "account" AS MATERIALIZED (
  SELECT array_agg("id" ORDER BY "nth") AS "id", array_agg("lastMoveId" ORDER BY "nth") AS "lastMoveId" FROM "held"
), "written" AS (
  INSERT INTO "Entry" ("id", "operation", "step", "at")
  SELECT "last"."entry" + entries."nth", entries."operation", entries."step", entries."at" FROM `,
  ` CROSS JOIN "last"
), "moved" AS (
  UPDATE "Account" SET
    "balance" = CASE WHEN "Account"."balance" BETWEEN "held"."least" AND "held"."most" THEN "Account"."balance" + "held"."by" END,
    "lastMoveId" = CASE "held"."lastMove" WHEN 0 THEN "held"."lastMoveId" ELSE "last"."move" + "held"."lastMove" END
  FROM "held" CROSS JOIN "last" WHERE "Account"."id" = "held"."id"
)
INSERT INTO "Move" ("id", "entryId", "fromId", "toId", "amount", "fromPreviousId", "toPreviousId")
SELECT "last"."move" + moves."nth", "last"."entry" + moves."entry", "account"."id"[moves."from"], "account"."id"[moves."to"], moves."amount",
  CASE moves."fromLast" WHEN 0 THEN "account"."lastMoveId"[moves."from"] ELSE "last"."move" + moves."fromLast" END,
  CASE moves."toLast" WHEN 0 THEN "account"."lastMoveId"[moves."to"] ELSE "last"."move" + moves."toLast" END
FROM `,
  ' CROSS JOIN "last" CROSS JOIN "account"',
]

function rowsOf<Tx>({ chart, at }: { chart: Chart; at: Date }, changes: readonly LedgerChange<Tx, unknown>[]): Rows {
  const touched = new Map<string, Touched>()
  const open = (name: AccountName) => {
    const key = accountKey(name)
    const known = touched.get(key)
    if (known !== undefined) return known
    const { kind, owner } = name
    const opened = { nth: touched.size + 1, kind, owner, by: 0n, least: LOWEST, most: HIGHEST, lastMove: 0 }
    touched.set(key, opened)
    return opened
  }
  const entries: SqlValue[][] = []
  const moves: SqlValue[][] = []
  for (const change of changes) {
    const involved = new Set<Touched>()
    for (const { operation, step, moves: moving } of change.entries ?? []) {
      entries.push([entries.length + 1, operation, step, at])
      for (const { from: fromName, to: toName, amount } of moving) {
        if (amount === 0n) continue
        const [from, to] = [open(fromName), open(toName)]
        const nth = moves.push([moves.length + 1, entries.length, from.nth, from.lastMove, to.nth, to.lastMove, amount])
        from.by -= amount
        to.by += amount
        from.lastMove = nth
        to.lastMove = nth
        involved.add(from).add(to)
      }
    }
    for (const account of involved) bind(account, chart[account.kind])
    for (const name of change.solvent ?? []) bind(open(name), 'credit')
  }
  return { entries, moves, touched }
}

/** Narrows an account's bounds, so that it is on its permitted side after a change. */
function bind(account: Touched, sign: Chart[string] | undefined): void {
  if (sign === 'credit' && -account.by > account.least) account.least = -account.by
  if (sign === 'debit' && -account.by < account.most) account.most = -account.by
}
