import type { OutgoingKind } from './machines/outgoing/outgoing.ts'
import { PAYOUTS } from './machines/payouts/payout-kind.ts'
import { REDEMPTIONS } from './vouchers/redemption-kind.ts'
import { VOUCHERS } from './vouchers/voucher-kind.ts'
import { WITHDRAWALS } from './withdrawals/withdrawal-kind.ts'

/** Everything that the engine sends (`outgoing/outgoing.ts`). A new kind adds itself here. */
export const OUTGOING_KINDS: readonly OutgoingKind[] = [PAYOUTS, WITHDRAWALS, VOUCHERS, REDEMPTIONS]
