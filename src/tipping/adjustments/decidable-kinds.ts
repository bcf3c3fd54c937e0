import type { Decisions } from '../engine/outgoing/decisions.ts'
import { PAYOUT_DECISIONS } from '../engine/payouts/payout-decisions.ts'
import { REDEMPTION_DECISIONS, REVOCATION_DECISIONS, VOUCHER_DECISIONS } from '../vouchers/voucher-decisions.ts'
import { WITHDRAWAL_DECISIONS } from '../withdrawals/withdrawal-decisions.ts'

/** The kinds of record whose outcome operators can decide. Add a new kind here. */
export const DECIDABLE_KINDS: readonly Decisions[] = [
  PAYOUT_DECISIONS,
  WITHDRAWAL_DECISIONS,
  VOUCHER_DECISIONS,
  REVOCATION_DECISIONS,
  REDEMPTION_DECISIONS,
]
