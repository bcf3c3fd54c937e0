import type { HoldingKinds } from '../../ledger/ledger.ts'

/**
 * The kinds of accounts that hold money for unfinished work, and whether they are compared by operation or by account.
 * One operation fills the account of a batch, and the operations of many vouchers empty it.
 */
export const HOLDING_KINDS: HoldingKinds = { in_flight: 'operation', voucher_escrow: 'account' }

/**
 * For each kind of record that can hold money, the query for the records that do. The claims of a withdrawal request
 * share the request's hold, and a voucher's sats are in flight while a wallet claims them.
 */
export const HOLDERS = [
  `SELECT 'in_flight', "payerKind" || ':' || "payerId", 'payment:' || "id", 'payment', "status", "amount" + "maxFee", "createdAt"
   FROM "Payment" WHERE "status" IN ('held', 'sending', 'unknown') AND "withdrawalRequestId" IS NULL AND "voucherId" IS NULL`,
  `SELECT 'in_flight', "payerKind" || ':' || "payerId", 'voucher:' || "voucherId", 'voucher claim', "status",
     "amount" + "maxFee", "createdAt"
   FROM "Payment" WHERE "status" IN ('held', 'sending', 'unknown') AND "voucherId" IS NOT NULL`,
  `SELECT 'in_flight', 'project:' || "projectId", 'withdrawal-request:' || "id", 'withdrawal request', "status",
     "amount" + "maxFee", "createdAt" FROM "WithdrawalRequest" WHERE "status" IN ('pending', 'processing')`,
  `SELECT 'voucher_escrow', "id", 'voucher:' || "id", 'voucher', 'live', "amount", "createdAt"
   FROM "Voucher" WHERE "redeemedAt" IS NULL AND "revokedAt" IS NULL AND NOT EXISTS (SELECT 1 FROM "Payment"
     WHERE "Payment"."voucherId" = "Voucher"."id" AND "Payment"."status" IN ('held', 'sending', 'unknown'))`,
]
