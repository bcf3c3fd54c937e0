import { ADDRESSES } from './addresses/poll-address.ts'
import { DEPOSITS } from './deposits/poll-deposit.ts'
import type { IncomingKind } from './machines/incoming/read-charge.ts'
import type { OutgoingKind } from './machines/outgoing/outgoing.ts'
import { PAYOUTS } from './machines/payouts/payout-kind.ts'
import { FUNDRAISERS } from './pools/poll-fundraiser.ts'
import { REDEMPTIONS } from './vouchers/redemption-kind.ts'
import { VOUCHERS } from './vouchers/voucher-kind.ts'
import { WITHDRAWALS } from './withdrawals/withdrawal-kind.ts'

/** Everything that the engine sends (`machines/outgoing/outgoing.ts`). A new kind adds itself here. */
export const OUTGOING_KINDS: readonly OutgoingKind[] = [PAYOUTS, WITHDRAWALS, VOUCHERS, REDEMPTIONS]

/** Everything that is paid by a static charge (`machines/incoming/read-charge.ts`). A new kind adds itself here. */
export const INCOMING_KINDS: readonly Pick<IncomingKind<never>, 'noun' | 'uncertain'>[] = [
  DEPOSITS,
  FUNDRAISERS,
  ADDRESSES,
]
