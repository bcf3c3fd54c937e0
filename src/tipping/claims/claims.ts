import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../machines/cards/cards.ts'
import type { PayoutShown } from '../machines/payouts/payout-shown.ts'

export interface ClaimCommand {
  readonly member: string
  readonly origin: Origin
}

/** `sending`, `unknown`, `paid`, `kept` when the member is linked and the sum went on to the gamertag wallet. */
export interface ClaimView extends PayoutShown {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly amount: Msats
  readonly shares: readonly { readonly from: string; readonly amount: Msats }[]
}
