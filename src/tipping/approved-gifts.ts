import type { DropCommand } from './drops/drops.ts'
import { openApprovedDrop } from './drops/open-drop.ts'
import type { Gift } from './engine/gifts/gifts.ts'
import { type ApprovedFunding, mustBeOfPool } from './engine/spending/spending.ts'
import type { TippingContext } from './engine/tipping-context.ts'
import type { StartGiveaway } from './giveaways/giveaways.ts'
import { startApproved } from './giveaways/start-giveaway.ts'
import type { ListGift } from './rewards/lists.ts'
import { payApprovedList } from './rewards/pay-list.ts'
import { sendApproved } from './tips/send-tip.ts'
import type { TipGift } from './tips/tip-gifts.ts'
import { createApprovedBatch } from './vouchers/create-batch.ts'
import { createApproved } from './vouchers/create-voucher.ts'
import type { BatchGift } from './vouchers/voucher-batches.ts'
import type { VoucherGift } from './vouchers/vouchers.ts'

/** A gift that may wait for a second moderator, because a server pays for it. */
type PoolGift =
  | TipGift
  | VoucherGift
  | BatchGift
  | ListGift
  | { readonly kind: 'drop'; readonly command: DropCommand }
  | { readonly kind: 'giveaway'; readonly command: StartGiveaway }

/**
 * Makes a gift that a second moderator has approved, with the function for gifts of its kind. `gift`: the gift as
 * stored with the request for approval.
 */
export async function giveApproved(context: TippingContext, gift: Gift, funding: ApprovedFunding): Promise<void> {
  const approved = gift as PoolGift
  switch (approved.kind) {
    case 'drop':
      return await openApprovedDrop(context, approved.command, funding)
    case 'giveaway':
      return await startApproved(context, approved.command, mustBeOfPool(funding))
    case 'voucher':
      return await createApproved(context, approved.command, mustBeOfPool(funding))
    case 'vouchers':
      return await createApprovedBatch(context, approved.command, mustBeOfPool(funding))
    case 'list':
      return await payApprovedList(context, approved.command, mustBeOfPool(funding))
    default:
      return await sendApproved(context, approved, funding)
  }
}
