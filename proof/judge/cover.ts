import type { BookWatch } from './book-watch.ts'

/**
 * The queries for the sums that the bot's open operations may have taken from, or brought into, its wallet at the
 * provider.
 */
const MAY_HAVE_LEFT = `
  SELECT COALESCE(SUM(amount), 0) AS amount FROM (
    SELECT "amount" FROM "Payout" WHERE "state" IN ('sending', 'unknown')
    UNION ALL SELECT "amount" + "feeLimit" FROM "Withdrawal" WHERE "state" IN ('sending', 'unknown', 'offered', 'claimed')
    UNION ALL SELECT "feeLimit" FROM "Withdrawal" WHERE "state" = 'paid' AND "fee" IS NULL
    UNION ALL SELECT "amount" + "feeLimit" FROM "Voucher" WHERE "state" IN ('sending', 'unknown')) AS leaving`

const MAY_HAVE_ARRIVED = `
  SELECT COALESCE(SUM(amount), 0) AS amount FROM (
    SELECT "amount" FROM "Deposit" WHERE "credited" = 0 AND "state" IN ('open', 'closed', 'creating')
    UNION ALL SELECT "amount" * ("slots" - "credited") FROM "Fundraiser" WHERE "state" <> 'failed' AND "slots" > "credited"
    UNION ALL SELECT "amount" FROM "Voucher" WHERE "state" = 'live') AS arriving`

/** Only the provider knows the amount of an open redemption. */
const BEING_REDEEMED = `SELECT "key" FROM "Redemption" WHERE "state" IN ('sending', 'unknown')`

/** The sum of payments to charges at the provider, less the bot's credits for payments to its addresses. */
const PAID = `SELECT COALESCE(SUM(CASE WHEN "receivedAmount" > "amount" THEN "receivedAmount" ELSE "amount" END), 0) AS amount FROM "Invoice"
  WHERE "resourceId" = ? AND "status" = 'settled'`
const CREDITED = 'SELECT COALESCE(SUM("amount"), 0) AS amount FROM "AddressPayment"'

/** Returns the sum of uncredited payments to members' addresses, which only the provider knows. */
function onItsWayToAddresses(bot: BookWatch, service: BookWatch): bigint {
  const [{ amount: credited }] = bot.rows<{ amount: bigint }>(CREDITED) as [{ amount: bigint }]
  const charges = bot.rows<{ chargeId: string }>('SELECT "chargeId" FROM "Address" WHERE "chargeId" IS NOT NULL')
  const paid = charges.map(({ chargeId }) => service.rows<{ amount: bigint }>(PAID, chargeId)[0]?.amount ?? 0n)
  return paid.reduce((sum, amount) => sum + amount, 0n) - credited
}

const NEVER_SHOWN = `SELECT "id" FROM "Withdrawal" WHERE "state" = 'returned' AND "because" = 'never-shown'`
const STILL_RESERVED = `SELECT "amount" + "maxFee" AS amount FROM "WithdrawalRequest" WHERE "internalId" = ? AND "status" = 'pending'`

/**
 * Returns the service's reserves for codes that nobody was shown. The bot returns these codes' sats when their time is
 * over, but a service that doubts its clock lets nothing expire.
 */
function reservedForNobody(bot: BookWatch, service: BookWatch): bigint {
  const reserved = bot
    .rows<{ id: string }>(NEVER_SHOWN)
    .flatMap(({ id }) => service.rows<{ amount: bigint }>(STILL_RESERVED, id))
  return reserved.reduce((sum, { amount }) => sum + amount, 0n)
}

/**
 * Checks the cover formula, E − X ≤ wallet ≤ E + Y, of both books at one instant. `projectId` is the bot's project at
 * the service. An operator put the `unexplained` msats into the bot's wallet.
 */
export function checkCover(bot: BookWatch, service: BookWatch, projectId: string, unexplained = 0n): string[] {
  const expected = -bot.balance('wallet', 'provider')
  const wallet = service.balance('wallet', `project:${projectId}`)
  const [{ amount: sent }] = bot.rows<{ amount: bigint }>(MAY_HAVE_LEFT) as [{ amount: bigint }]
  const left = sent + reservedForNobody(bot, service)
  const [{ amount: arrived }] = bot.rows<{ amount: bigint }>(MAY_HAVE_ARRIVED) as [{ amount: bigint }]
  const redeemed = bot.rows<{ key: string }>(BEING_REDEEMED).reduce((sum, { key }) => {
    const [row] = service.rows<{ body: string | null }>(
      'SELECT "body" FROM "IdempotencyKey" WHERE "projectId" = ? AND "key" = ? AND "movedMoney"',
      projectId,
      key,
    )
    return sum + BigInt(row?.body ? JSON.parse(row.body).data.amount : 0)
  }, 0n)
  const onItsWay = unexplained + arrived + redeemed + onItsWayToAddresses(bot, service)
  const faults: string[] = []
  if (wallet < expected - left) {
    faults.push(`the wallet holds ${wallet} msats, less than ${expected} expected less ${left} that may have left`)
  }
  if (wallet > expected + onItsWay) {
    faults.push(`the wallet holds ${wallet} msats, more than ${expected} expected and ${onItsWay} that may have come`)
  }
  return faults
}
