import type { Evidence } from '../judge/evidence.ts'

/** The kinds of actions that people may be told are done. */
export const KINDS = ['tip', 'deposit', 'payment', 'withdrawal', 'drop', 'claim', 'voucher'] as const
export type Kind = (typeof KINDS)[number]

/** The kinds of actions that programs may be told are done. */
type ProgramKind = 'reward' | 'charge'

/** An action that somebody was told is done; from then on, no kill may undo the action. */
export interface Reported {
  readonly kind: Kind | ProgramKind
  /**
   * The key of the action: Discord's id of the command, a payment's hash, a claim's drop and member, a reward's API key
   * and Idempotency-Key, or a charge's order.
   */
  readonly key: string
  /** The person and the amount, as the person was told them. The books must have exactly this text under the key. */
  readonly what: string
  /**
   * Returns whether the message that announced the action still exists; this function is absent if the message cannot
   * disappear.
   */
  readonly stands?: () => boolean
}

/** The queries that return `what` from the books, once for each record under a key. */
const IN_THE_BOOKS: Readonly<
  Record<Reported['kind'], { readonly book: 'botBook' | 'serviceBook'; readonly sql: string }>
> = {
  tip: {
    book: 'botBook',
    sql: `SELECT t."sender" || ' ' || s."recipient" || ' ' || s."amount" AS what FROM "Operation" o
      JOIN "TipShare" s ON s."id" = o."id" JOIN "Tip" t ON t."id" = s."tipId" WHERE o."interaction" = ?`,
  },
  deposit: {
    book: 'botBook',
    sql: `SELECT d."member" || ' ' || d."amount" AS what FROM "Operation" o
      JOIN "Deposit" d ON d."id" = o."record" WHERE o."interaction" = ? AND d."request" IS NOT NULL`,
  },
  payment: { book: 'serviceBook', sql: `SELECT "status" AS what FROM "Invoice" WHERE "paymentHash" = ?` },
  withdrawal: {
    book: 'botBook',
    sql: `SELECT w."member" || ' ' || w."amount" AS what FROM "Operation" o JOIN "Withdrawal" w ON w."id" = o."record"
      WHERE o."interaction" = ? AND w."state" NOT IN ('asked', 'cancelled')`,
  },
  drop: {
    book: 'botBook',
    sql: `SELECT d."member" || ' ' || (d."share" * d."shares") AS what FROM "Operation" o
      JOIN "Drop" d ON d."id" = o."record" WHERE o."interaction" = ?`,
  },
  claim: {
    book: 'botBook',
    sql: `SELECT "member" AS what FROM "DropClaim" WHERE "dropId" || ' ' || "member" = ? AND "state" = 'given'`,
  },
  voucher: {
    book: 'botBook',
    sql: `SELECT v."member" || ' ' || v."amount" AS what FROM "Operation" o
      JOIN "Voucher" v ON v."id" = o."record" WHERE o."interaction" = ?`,
  },
  reward: {
    book: 'botBook',
    sql: `SELECT r."id" || ' ' || r."recipient" || ' ' || r."amount" AS what FROM "Operation" o
      JOIN "Reward" r ON r."id" = o."record" WHERE o."interaction" = ?`,
  },
  charge: {
    book: 'serviceBook',
    sql: `SELECT "id" || ' ' || "amount" AS what FROM "Charge" WHERE "internalId" = ?`,
  },
}

/** Returns sentences about the actions that somebody was told are done, but that the books lack or have differently. */
export function forgotten(evidence: Evidence, told: readonly Reported[]): string[] {
  return told.flatMap((reported) => {
    const { kind, key, what } = reported
    const found = inTheBooks(evidence, reported)
    if ((found.length === 1 && found[0] === what) || isTakenBack(evidence, reported)) return []
    return [`somebody was told of the ${kind} "${what}" (${key}); the books have ${JSON.stringify(found)}`]
  })
}

/**
 * Whether the answer about an action was taken back. A first answer may come before its command runs. If the command
 * never runs, the bot deletes the answer, or another bot notes in the book that the command was interrupted.
 */
export function isTakenBack(evidence: Evidence, reported: Reported): boolean {
  if (inTheBooks(evidence, reported).length > 0) return false
  if (reported.stands?.() === false) return true
  const notes = `SELECT "id" FROM "Card" WHERE "kind" = 'interrupted' AND "record" = ?`
  return evidence.botBook.rows(notes, reported.key).length > 0
}

function inTheBooks(evidence: Evidence, { kind, key }: Reported): string[] {
  const { book, sql } = IN_THE_BOOKS[kind]
  return evidence[book].rows<{ what: string }>(sql, key).map((row) => row.what)
}
