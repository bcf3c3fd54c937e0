import type { CardKind } from '../../tipping/tipping.ts'
import { addressPaidRenderer } from '../addresses/card.ts'
import { windDownRenderer } from '../administration/wind-down-card.ts'
import { interruptedRenderer } from '../announcements/card.ts'
import { askRenderer } from '../asks/card.ts'
import type { CardRenderer } from '../cards/card-renderer.ts'
import { claimRenderer } from '../claims/card.ts'
import { depositPaidRenderer, depositRenderer } from '../deposits/card.ts'
import { dropDrawnRenderer, dropRenderer } from '../drops/card.ts'
import { dropClaimRenderer } from '../drops/claim-card.ts'
import {
  giveawayDrawnRenderer,
  giveawayEndingRenderer,
  giveawayRenderer,
  giveawayRerollRenderer,
  giveawaySealedRenderer,
} from '../giveaways/card.ts'
import { giveawayRedrawRenderer } from '../giveaways/claims-card.ts'
import { recapRenderer } from '../insights/recap-card.ts'
import { invoicePaidRenderer, invoiceRenderer } from '../invoices/card.ts'
import { linkEndedRenderer } from '../links/card.ts'
import { messageTipsRenderer, receiptRenderer } from '../message-tips/card.ts'
import { fundraiserRenderer } from '../pools/fundraiser-card.ts'
import { rainRenderer } from '../rain/card.ts'
import { rewardRenderer } from '../rewards/card.ts'
import { scheduleShortRenderer } from '../schedules/card.ts'
import { moderationLogRenderer } from '../settings/moderation-log.ts'
import { byHandRenderer } from '../tips/by-hand-card.ts'
import { tipRenderer } from '../tips/card.ts'
import { promiseGivenRenderer, promiseReceivedRenderer } from '../tips/promise-card.ts'
import { batchRenderer } from '../vouchers/batch-card.ts'
import { redemptionRenderer, voucherGiftRenderer, voucherRenderer } from '../vouchers/card.ts'
import { withdrawalRenderer } from '../withdrawals/card.ts'

/** A renderer for each of tipping's kinds of card. */
export const cardRenderers: Readonly<Record<CardKind, CardRenderer>> = {
  tip: tipRenderer,
  claim: claimRenderer,
  deposit: depositRenderer,
  'deposit-paid': depositPaidRenderer,
  'address-paid': addressPaidRenderer,
  'link-ended': linkEndedRenderer,
  invoice: invoiceRenderer,
  'invoice-paid': invoicePaidRenderer,
  withdrawal: withdrawalRenderer,
  'wind-down': windDownRenderer,
  voucher: voucherRenderer,
  'voucher-gift': voucherGiftRenderer,
  redemption: redemptionRenderer,
  drop: dropRenderer,
  'drop-claim': dropClaimRenderer,
  'drop-drawn': dropDrawnRenderer,
  rain: rainRenderer,
  tally: messageTipsRenderer,
  fundraiser: fundraiserRenderer,
  'voucher-batch': batchRenderer,
  reward: rewardRenderer,
  receipt: receiptRenderer,
  'wallet-invoice': byHandRenderer,
  'promise-given': promiseGivenRenderer,
  'promise-received': promiseReceivedRenderer,
  ask: askRenderer,
  giveaway: giveawayRenderer,
  'schedule-short': scheduleShortRenderer,
  'giveaway-ending': giveawayEndingRenderer,
  'giveaway-sealed': giveawaySealedRenderer,
  'giveaway-drawn': giveawayDrawnRenderer,
  'giveaway-reroll': giveawayRerollRenderer,
  'giveaway-redraw': giveawayRedrawRenderer,
  'moderation-log': moderationLogRenderer,
  recap: recapRenderer,
  interrupted: interruptedRenderer,
}
