import { ADDRESSES } from './addresses/poll-address.ts'
import { DEPOSITS } from './deposits/poll-deposit.ts'
import type { IncomingKind } from './engine/incoming/read-charge.ts'
import type { OutgoingKind } from './engine/outgoing/outgoing.ts'
import { PAYOUTS } from './engine/payouts/payout-kind.ts'
import { FUNDRAISERS } from './pools/poll-fundraiser.ts'
import { REDEMPTIONS } from './vouchers/redemption-kind.ts'
import { VOUCHERS } from './vouchers/voucher-kind.ts'
import { WITHDRAWALS } from './withdrawals/withdrawal-kind.ts'

/** All kinds of payments that the engine sends (`engine/outgoing/outgoing.ts`). Add a new kind here. */
export const OUTGOING_KINDS: readonly OutgoingKind[] = [PAYOUTS, WITHDRAWALS, VOUCHERS, REDEMPTIONS]

/** All kinds of records that static charges pay (`engine/incoming/read-charge.ts`). Add a new kind here. */
export const INCOMING_KINDS: readonly Pick<IncomingKind<never>, 'noun' | 'uncertain'>[] = [
  DEPOSITS,
  FUNDRAISERS,
  ADDRESSES,
]
