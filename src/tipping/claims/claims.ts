import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { PayoutShown } from '../engine/payouts/payout-shown.ts'

/** Tips that wait for somebody who has not used the bot yet. */
export interface Claims {
  /** Whether anything is unclaimed for a member. */
  hasUnclaimed(member: string): Promise<boolean>
  /** Claims everything that waits for a member. Throws TippingRefusal `nothing-to-claim` or `claim-not-yours`. */
  take(command: ClaimCommand): Promise<ClaimView>
  view(id: string): Promise<ClaimView>
}

export interface ClaimCommand {
  readonly member: string
  /**
   * The tip, the interaction that gave it, or the tipped message, under which a button was pressed. If nothing waits,
   * the refusal names its recipients.
   */
  readonly under?: string
  readonly origin: Origin
}

/** `sending`, `unknown`, `paid`, `kept` if the member is linked and the sum was forwarded to the gamertag wallet. */
export interface ClaimView extends PayoutShown {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly amount: Msats
  readonly shares: readonly { readonly from: string; readonly amount: Msats }[]
}
