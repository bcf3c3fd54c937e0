import type { BookWatch } from './book-watch.ts'

/** What the bot's open operations may have taken from its wallet at the provider, and what may have come into it. */
const MAY_HAVE_LEFT = `
  SELECT COALESCE(SUM(amount), 0) AS amount FROM (
    SELECT "amount" FROM "Payout" WHERE "state" IN ('sending', 'unknown')
    UNION ALL SELECT "amount" + "feeLimit" FROM "Withdrawal" WHERE "state" IN ('sending', 'unknown', 'offered', 'claimed')
    UNION ALL SELECT "feeLimit" FROM "Withdrawal" WHERE "state" = 'paid' AND "fee" IS NULL
    UNION ALL SELECT "amount" + "feeLimit" FROM "Voucher" WHERE "state" IN ('sending', 'unknown'))`

const MAY_HAVE_ARRIVED = `
  SELECT COALESCE(SUM(amount), 0) AS amount FROM (
    SELECT "amount" FROM "Deposit" WHERE "credited" = 0 AND "state" IN ('open', 'closed', 'creating')
    UNION ALL SELECT "amount" * MAX("slots" - "credited", 0) FROM "Fundraiser" WHERE "state" NOT IN ('failed')
    UNION ALL SELECT "amount" FROM "Voucher" WHERE "state" = 'live')`

/** What a redemption that has not ended may bring is known at the provider alone. */
const BEING_REDEEMED = `SELECT "key" FROM "Redemption" WHERE "state" IN ('sending', 'unknown')`

/**
 * The cover formula, E − X ≤ wallet ≤ E + Y, of both books at one instant. `projectId` is the bot's at the service.
 */
export function checkCover(bot: BookWatch, service: BookWatch, projectId: string): string[] {
  const expected = -bot.balance('wallet', 'provider')
  const wallet = service.balance('wallet', `project:${projectId}`)
  const [{ amount: left }] = bot.rows<{ amount: bigint }>(MAY_HAVE_LEFT) as [{ amount: bigint }]
  const [{ amount: arrived }] = bot.rows<{ amount: bigint }>(MAY_HAVE_ARRIVED) as [{ amount: bigint }]
  const redeemed = bot.rows<{ key: string }>(BEING_REDEEMED).reduce((sum, { key }) => {
    const [row] = service.rows<{ body: string | null }>(
      'SELECT "body" FROM "IdempotencyKey" WHERE "projectId" = ? AND "key" = ? AND "movedMoney"',
      projectId,
      key,
    )
    return sum + BigInt(row?.body ? JSON.parse(row.body).data.amount : 0)
  }, 0n)
  const faults: string[] = []
  if (wallet < expected - left) {
    faults.push(`the wallet holds ${wallet} msats, less than ${expected} expected less ${left} that may have left`)
  }
  if (wallet > expected + arrived + redeemed) {
    faults.push(
      `the wallet holds ${wallet} msats, more than ${expected} expected and ${arrived + redeemed} that may have come`,
    )
  }
  return faults
}
