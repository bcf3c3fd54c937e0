import type { CardKind } from '../../tipping/tipping.ts'
import { addressPaidFace } from './address.ts'
import { claimFace } from './claim.ts'
import { depositFace, depositPaidFace } from './deposit.ts'
import { dropDrawnFace, dropFace } from './drop.ts'
import { dropClaimFace } from './drop-claim.ts'
import type { Face } from './face.ts'
import { fundraiserFace } from './fundraiser.ts'
import { giveawayDrawnFace, giveawayFace, giveawayRerollFace, giveawaySealedFace } from './giveaway.ts'
import { invoiceFace, invoicePaidFace } from './invoice.ts'
import { messageTipsFace, receiptFace } from './message-tips.ts'
import { rainFace } from './rain.ts'
import { rewardFace } from './reward.ts'
import { tipFace } from './tip.ts'
import { redemptionFace, voucherFace, voucherGiftFace } from './voucher.ts'
import { withdrawalFace } from './withdrawal.ts'

/** A face for every kind of card that tipping has. */
export const faces: Readonly<Record<CardKind, Face>> = {
  tip: tipFace,
  claim: claimFace,
  deposit: depositFace,
  'deposit-paid': depositPaidFace,
  'address-paid': addressPaidFace,
  invoice: invoiceFace,
  'invoice-paid': invoicePaidFace,
  withdrawal: withdrawalFace,
  voucher: voucherFace,
  'voucher-gift': voucherGiftFace,
  redemption: redemptionFace,
  drop: dropFace,
  'drop-claim': dropClaimFace,
  'drop-drawn': dropDrawnFace,
  rain: rainFace,
  tally: messageTipsFace,
  fundraiser: fundraiserFace,
  reward: rewardFace,
  receipt: receiptFace,
  giveaway: giveawayFace,
  'giveaway-sealed': giveawaySealedFace,
  'giveaway-drawn': giveawayDrawnFace,
  'giveaway-reroll': giveawayRerollFace,
}
