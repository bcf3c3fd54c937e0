import type { CardKind } from '../../tipping/tipping.ts'
import { addressPaidRenderer } from './address.ts'
import type { CardRenderer } from './card-renderer.ts'
import { claimRenderer } from './claim.ts'
import { depositPaidRenderer, depositRenderer } from './deposit.ts'
import { dropDrawnRenderer, dropRenderer } from './drop.ts'
import { dropClaimRenderer } from './drop-claim.ts'
import { fundraiserRenderer } from './fundraiser.ts'
import { giveawayDrawnRenderer, giveawayRenderer, giveawayRerollRenderer, giveawaySealedRenderer } from './giveaway.ts'
import { invoicePaidRenderer, invoiceRenderer } from './invoice.ts'
import { messageTipsRenderer, receiptRenderer } from './message-tips.ts'
import { rainRenderer } from './rain.ts'
import { rewardRenderer } from './reward.ts'
import { tipRenderer } from './tip.ts'
import { redemptionRenderer, voucherGiftRenderer, voucherRenderer } from './voucher.ts'
import { withdrawalRenderer } from './withdrawal.ts'

/** A renderer for every kind of card that tipping has. */
export const cardRenderers: Readonly<Record<CardKind, CardRenderer>> = {
  tip: tipRenderer,
  claim: claimRenderer,
  deposit: depositRenderer,
  'deposit-paid': depositPaidRenderer,
  'address-paid': addressPaidRenderer,
  invoice: invoiceRenderer,
  'invoice-paid': invoicePaidRenderer,
  withdrawal: withdrawalRenderer,
  voucher: voucherRenderer,
  'voucher-gift': voucherGiftRenderer,
  redemption: redemptionRenderer,
  drop: dropRenderer,
  'drop-claim': dropClaimRenderer,
  'drop-drawn': dropDrawnRenderer,
  rain: rainRenderer,
  tally: messageTipsRenderer,
  fundraiser: fundraiserRenderer,
  reward: rewardRenderer,
  receipt: receiptRenderer,
  giveaway: giveawayRenderer,
  'giveaway-sealed': giveawaySealedRenderer,
  'giveaway-drawn': giveawayDrawnRenderer,
  'giveaway-reroll': giveawayRerollRenderer,
}
