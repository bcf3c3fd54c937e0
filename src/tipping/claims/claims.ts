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
   * The id of what the pressed button belongs to: a tip, the interaction that sent the tip, or the tipped message. If
   * nothing waits, the refusal names the tip's recipients.
   */
  readonly under?: string
  readonly origin: Origin
}

/**
 * A claim. If the member is linked, `state` is that of the payout to the gamertag wallet: `sending`, `unknown`, `paid`
 * or `kept`.
 */
export interface ClaimView extends PayoutShown {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly amount: Msats
  readonly shares: readonly { readonly from: string; readonly amount: Msats }[]
}
