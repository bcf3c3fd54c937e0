import { inlineCode } from 'discord.js'
import type { DropClaimView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import { whyNotSent } from '../cards/not-sent.ts'
import { receiptOfPayout } from '../history/receipt-button.ts'
import type { Translator } from '../i18n/translator.ts'
import { colour, mention, panel } from '../messages/panel.ts'
import { edge as shareEdge, shareLine } from '../tips/card.ts'
import { cashOutButton } from '../withdrawals/cash-out-button.ts'
import { walletButtons } from '../withdrawals/voucher-to-wallet.ts'

/**
 * Shows one person's share of a drop, or the chance to win one. A late change is announced only if the share is a code,
 * which only this card shows. Otherwise, the announcement of the winners in the channel is enough.
 */
export const dropClaimRenderer = renderCard({
  load: (tipping, record) => tipping.drops.claimView(record),
  draw: drawDropClaim,
  late: ({ voucher }) => (voucher?.code === undefined ? 'silence' : 'message'),
})

export function drawDropClaim(claim: DropClaimView, t: Translator): Drawing {
  const { chance, owner, amount, state } = claim
  if (chance === 'entered') {
    return { message: { embeds: [panel(colour.satchel, t('drop.mine.entered', { amount }))] } }
  }
  if (chance === 'missed') {
    return { message: { embeds: [panel(colour.over, t('drop.mine.missed'))] } }
  }
  const title = t('drop.mine.title', { amount })
  const from = t('drop.mine.from', { who: mention(owner) })
  if (claim.payment !== undefined) {
    const how = shareLine(claim.payment, { from: owner, fromPool: claim.fromPool }, t)
    return { message: { embeds: [panel(shareEdge([claim.payment]), [from, how], { title })] } }
  }
  const edge = state === 'sending' || state === 'unknown' ? colour.inFlight : colour.done
  const lines = [from, where(claim, t)]
  const stays = claim.voucher === undefined && (state === 'credited' || state === 'kept')
  const buttons = stays ? [cashOutButton(claim.id, t('claim.cashOutButton'))] : receiptOfPayout(claim, t)
  const { voucher } = claim
  const toWallet = voucher === undefined ? [] : walletButtons(voucher.id, voucher.anyWallet, t)
  return { message: { embeds: [panel(edge, lines, { title })], buttons: [...toWallet, ...buttons] } }
}

function where(claim: DropClaimView, t: Translator): string {
  const { voucher, state, owner } = claim
  if (voucher !== undefined) {
    const { code } = voucher
    return code === undefined
      ? t('voucher.giftOver', { who: mention(owner) })
      : t('drop.mine.code', { code: inlineCode(code) })
  }
  if (state === 'kept') return t('claim.kept', { why: whyNotSent(claim, t) })
  return t(`claim.${state}`)
}
