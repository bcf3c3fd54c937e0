import type { HoldingKinds } from '../../ledger/ledger.ts'

/** The kinds of account that hold money for unfinished work. */
export const HOLDING_KINDS: HoldingKinds = { held: 'operation', pot: 'account' }

/** Queries for the records that hold money, at least one for each noun that has such records. Add a new noun here. */
export const HOLDERS = [
  `SELECT 'held', CASE WHEN t."pool" IS NULL THEN t."sender" ELSE 'pool:' || t."pool" END, s."id", 'unclaimed tip', s."state", s."amount", t."createdAt"
   FROM "TipShare" AS s JOIN "Tip" AS t ON t."id" = s."tipId" WHERE s."state" = 'parked'`,
  `SELECT 'held', "member", "id", 'payout', "state", "amount", "createdAt"
   FROM "Payout" WHERE "state" IN ('reserved', 'sending', 'unknown')`,
  `SELECT 'held', CASE WHEN "pool" IS NULL THEN "member" ELSE 'pool:' || "pool" END, "id", 'withdrawal', "state", "amount" + "feeLimit", "createdAt"
   FROM "Withdrawal" WHERE "state" IN ('reserved', 'sending', 'unknown', 'offered', 'claimed')`,
  `SELECT 'held', CASE WHEN "pool" IS NULL THEN "member" ELSE 'pool:' || "pool" END, "id", 'withdrawal', 'paid, its fee not known yet', "feeLimit", "createdAt"
   FROM "Withdrawal" WHERE "state" = 'paid' AND "fee" IS NULL AND "feeLimit" > 0`,
  `SELECT 'held', CASE WHEN "pool" IS NULL THEN "member" ELSE 'pool:' || "pool" END, "id", 'voucher', "state", "amount" + "feeLimit", "createdAt"
   FROM "Voucher" WHERE "state" IN ('reserved', 'sending', 'unknown')`,
  `SELECT 'held', 'pool:' || "guild", "id", 'line of a list', "state", "amount" + "feeLimit", "createdAt"
   FROM "AddressLine" WHERE "state" = 'waiting'`,
  `SELECT 'held', 'pool:' || "guild", "id", 'reward', "state", "amount", "createdAt"
   FROM "Reward" WHERE "state" = 'asked' AND "source" = 'pool'`,
  `SELECT 'held', CASE WHEN "kind" = 'pool' THEN 'pool:' || "owner" ELSE "owner" END, "id", 'claim', "kind", "amount", "createdAt"
   FROM "WindDownClaim"`,
  `SELECT 'pot', "id", NULL, 'giveaway', "state", "prize" * "winners", "createdAt"
   FROM "Giveaway" WHERE "state" IN ('open', 'sealed')`,
  `SELECT 'pot', g."id", NULL, 'giveaway', 'to be claimed',
     g."prize" * (g."winners" - (SELECT COUNT(*) FROM "GiveawayWin" AS w WHERE w."giveawayId" = g."id")), g."createdAt"
   FROM "Giveaway" AS g WHERE g."state" = 'drawn' AND g."claimMinutes" IS NOT NULL AND g."settledAt" IS NULL
     AND g."winners" > (SELECT COUNT(*) FROM "GiveawayWin" AS w WHERE w."giveawayId" = g."id")`,
  `SELECT 'pot', "id", NULL, 'drop', "state", "share" * ("shares" - "claimed"), "createdAt"
   FROM "Drop" WHERE "state" = 'open' AND NOT "codes" AND "connection" IS NULL AND "shares" > "claimed"`,
]
