import type { BookWatch } from './book-watch.ts'

/** A query whose rows contain the account, the amount that it must hold, and the operation that the amount is for. */
interface Hold {
  readonly of: string
  readonly sql: string
}

/**
 * Queries for the sums that the bot's open operations hold: rows of (kind, owner, amount). Every noun that reserves
 * money has an entry here. Money on `held` or `pot` that no entry covers is unexplained.
 */
export const BOT_HOLDS: readonly Hold[] = [
  {
    of: 'unclaimed tips',
    sql: `SELECT 'held' AS kind, COALESCE('pool:' || t."pool", t."sender") AS owner, s."amount" AS amount
      FROM "TipShare" s JOIN "Tip" t ON t."id" = s."tipId" WHERE s."state" = 'parked'`,
  },
  {
    of: 'payouts',
    sql: `SELECT 'held' AS kind, "member" AS owner, "amount" FROM "Payout" WHERE "state" IN ('reserved', 'sending', 'unknown')`,
  },
  {
    of: 'withdrawals',
    sql: `SELECT 'held' AS kind, COALESCE('pool:' || "pool", "member") AS owner, "amount" + "feeLimit" AS amount FROM "Withdrawal"
      WHERE "state" IN ('reserved', 'sending', 'unknown', 'offered', 'claimed')`,
  },
  {
    of: 'fees that are not named yet',
    sql: `SELECT 'held' AS kind, COALESCE('pool:' || "pool", "member") AS owner, "feeLimit" AS amount FROM "Withdrawal"
      WHERE "state" = 'paid' AND "fee" IS NULL`,
  },
  {
    of: 'vouchers',
    sql: `SELECT 'held' AS kind, COALESCE('pool:' || "pool", "member") AS owner, "amount" + "feeLimit" AS amount FROM "Voucher"
      WHERE "state" IN ('reserved', 'sending', 'unknown')`,
  },
  {
    of: 'drops',
    sql: `SELECT 'pot' AS kind, "id" AS owner, "share" * ("shares" - "claimed") AS amount FROM "Drop"
      WHERE "state" = 'open' AND NOT "codes" AND "connection" IS NULL`,
  },
  {
    of: 'giveaways',
    sql: `SELECT 'pot' AS kind, "id" AS owner, "prize" * "winners" AS amount FROM "Giveaway" WHERE "state" IN ('open', 'sealed')`,
  },
  {
    of: 'prizes to be claimed',
    sql: `SELECT 'pot' AS kind, "id" AS owner,
      "prize" * ("winners" - (SELECT COUNT(*) FROM "GiveawayClaim" c WHERE c."giveawayId" = g."id" AND c."claimedAt" IS NOT NULL)) AS amount
      FROM "Giveaway" g WHERE "state" = 'drawn' AND "claimMinutes" IS NOT NULL AND "settledAt" IS NULL`,
  },
  {
    of: 'lines of lists that wait for their invoices',
    sql: `SELECT 'held' AS kind, 'pool:' || "guild" AS owner, "amount" + "feeLimit" AS amount FROM "AddressLine" WHERE "state" = 'waiting'`,
  },
  {
    of: 'rewards that wait for a second moderator',
    sql: `SELECT 'held' AS kind, 'pool:' || "guild" AS owner, "amount" FROM "Reward" WHERE "state" = 'asked' AND "source" = 'pool'`,
  },
]

/** Queries for the sums that the service's open operations hold. */
export const SERVICE_HOLDS: readonly Hold[] = [
  {
    of: 'payments',
    sql: `SELECT 'in_flight' AS kind, "payerKind" || ':' || "payerId" AS owner, "amount" + "maxFee" AS amount FROM "Payment"
      WHERE "status" IN ('held', 'sending', 'unknown') AND "withdrawalRequestId" IS NULL`,
  },
  {
    of: 'withdrawal requests',
    sql: `SELECT 'in_flight' AS kind, 'project:' || "projectId" AS owner, "amount" + "maxFee" AS amount FROM "WithdrawalRequest"
      WHERE "status" IN ('pending', 'processing')`,
  },
  {
    of: 'vouchers',
    // A claim by a wallet moves a voucher's sats to its payment.
    sql: `SELECT 'voucher_escrow' AS kind, "id" AS owner, "amount" FROM "Voucher" v WHERE "redeemedAt" IS NULL AND "revokedAt" IS NULL
      AND NOT EXISTS (SELECT 1 FROM "Payment" p WHERE p."voucherId" = v."id" AND p."status" <> 'failed')`,
  },
]

/** Checks that all held money belongs to open operations, and that every open operation holds the sum in its record. */
export function checkHolds(watch: BookWatch, kinds: readonly string[], holds: readonly Hold[], side: string): string[] {
  const balances = watch.balances(kinds)
  const wanted = new Map<string, bigint>()
  for (const { sql } of holds) {
    for (const { kind, owner, amount } of watch.rows<{ kind: string; owner: string; amount: bigint }>(sql)) {
      const key = `${kind}:${owner}`
      wanted.set(key, (wanted.get(key) ?? 0n) + amount)
    }
  }
  return [...new Set([...balances.keys(), ...wanted.keys()])].flatMap((key) => {
    const [has, wants] = [balances.get(key) ?? 0n, wanted.get(key) ?? 0n]
    return has === wants ? [] : [`the ${side}'s ${key} holds ${has} msats, but its open operations hold ${wants}`]
  })
}

/**
 * Queries for open records that must end in the calm without people's help. Records that wait for people (a live
 * voucher, an open deposit, an unscanned code) are left out until their time is over.
 */
export const MUST_END: Readonly<Record<'bot' | 'service', readonly Hold[]>> = {
  bot: [
    { of: 'tip', sql: `SELECT "id", "state" FROM "TipShare" WHERE "state" = 'parked'` },
    { of: 'payout', sql: `SELECT "id", "state" FROM "Payout" WHERE "state" IN ('reserved', 'sending', 'unknown')` },
    {
      of: 'withdrawal',
      sql: `SELECT "id", "state" FROM "Withdrawal"
        WHERE "state" IN ('reserved', 'sending', 'unknown', 'offered', 'claimed') OR ("state" = 'paid' AND "fee" IS NULL)`,
    },
    { of: 'line of a list', sql: `SELECT "id", "state" FROM "AddressLine" WHERE "state" = 'waiting'` },
    {
      of: 'voucher',
      sql: `SELECT "id", "state" FROM "Voucher" WHERE "state" IN ('reserved', 'sending', 'unknown') OR "revoking"`,
    },
    { of: 'redemption', sql: `SELECT "id", "state" FROM "Redemption" WHERE "state" IN ('sending', 'unknown')` },
    { of: 'drop', sql: `SELECT "id", "state" FROM "Drop" WHERE "state" = 'open'` },
    {
      of: 'giveaway',
      sql: `SELECT "id", "state" FROM "Giveaway"
        WHERE "state" IN ('open', 'sealed') OR ("state" = 'drawn' AND "claimMinutes" IS NOT NULL AND "settledAt" IS NULL)`,
    },
    { of: 'fundraiser', sql: `SELECT "id", "state" FROM "Fundraiser" WHERE "state" = 'creating'` },
    {
      of: 'payment from a wallet',
      sql: `SELECT "id", "state" FROM "WalletPayment" WHERE "state" IN ('asked', 'paying', 'unknown')`,
    },
    { of: 'deposit', sql: `SELECT "id", "state" FROM "Deposit" WHERE "state" IN ('creating', 'open')` },
    { of: 'pause', sql: `SELECT "id", "reason" AS "state" FROM "ExitPause" WHERE "until" IS NULL` },
  ],
  service: [
    {
      of: 'payment',
      sql: `SELECT "id", "status" AS "state" FROM "Payment" WHERE "status" IN ('held', 'sending', 'unknown')`,
    },
    {
      of: 'withdrawal request',
      sql: `SELECT "id", "status" AS "state" FROM "WithdrawalRequest" WHERE "status" IN ('pending', 'processing')`,
    },
    { of: 'receipt of a zap', sql: `SELECT "paymentHash" AS "id", "attempts" AS "state" FROM "ZapReceipt"` },
    {
      of: 'invoice',
      // A user's request on the wallet page can be paid for a day.
      sql: `SELECT "paymentHash" AS "id", "status" AS "state" FROM "Invoice" WHERE "status" = 'open'
        AND "paymentHash" NOT IN (SELECT "paymentHash" FROM "Charge" WHERE "projectId" IS NULL)`,
    },
  ],
}

/** Returns the bot's charges that were paid at the service more often than the bot has credited them. */
export function uncredited(bot: BookWatch, service: BookWatch): string[] {
  const charges = bot.rows<{ id: string; of: string; chargeId: string; credited: bigint }>(CHARGES)
  return charges.flatMap(({ id, of, chargeId, credited }) => {
    const [charge] = service.rows<{ slots: bigint }>('SELECT "slots" FROM "StaticCharge" WHERE "id" = ?', chargeId)
    return charge === undefined || charge.slots === credited
      ? []
      : [`the bot's ${of} ${id} has not credited everything`]
  })
}

const CHARGES = `
  SELECT "id", 'address' AS of, "chargeId", "credited" FROM "Address" WHERE "chargeId" IS NOT NULL
  UNION ALL SELECT "id", 'fundraiser' AS of, "chargeId", "credited" FROM "Fundraiser" WHERE "chargeId" IS NOT NULL`

/** Describes a side's open operations, each in a few words. */
export function stillOpen(watch: BookWatch, side: 'bot' | 'service'): string[] {
  return MUST_END[side].flatMap(({ of, sql }) =>
    watch.rows<{ id: unknown; state: unknown }>(sql).map(({ id, state }) => `the ${side}'s ${of} ${id} is ${state}`),
  )
}
