import { inlineCode } from 'discord.js'
import type { RedemptionView, VoucherView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { colour, mention, panel, small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { providerReason } from '../refusals/provider-reason.ts'
import { walletButtons } from '../withdrawals/voucher-to-wallet.ts'

/** Shows a voucher to its maker, with the code unless the voucher is for somebody else. */
export const voucherRenderer = renderCard({
  load: (tipping, record) => tipping.vouchers.view(record),
  draw: drawVoucher,
})

/** Shows a voucher's code to its intended recipient. */
export const voucherGiftRenderer = renderCard({
  load: (tipping, record) => tipping.vouchers.view(record),
  draw: drawGift,
})

/** Reports the outcome of a redemption. */
export const redemptionRenderer = renderCard({
  load: (tipping, record) => tipping.vouchers.redemption(record),
  draw: drawRedemption,
})

const MAX_DESCRIPTION_LENGTH = 300

export function drawVoucher(voucher: VoucherView, t: Translator): Drawing {
  const { amount, fee, state, recipient } = voucher
  const title = t('voucher.title', { amount })
  const who = recipient === undefined ? '' : mention(recipient)
  const lines = [quoted(voucher), statusText(voucher, who, t)]
  if (state === 'live' && recipient === undefined) lines.push(t('voucher.keepSafe'))
  if (fee > 0n && state !== 'failed' && state !== 'creating')
    lines.push(small(t(state === 'revoked' ? 'voucher.feeKept' : 'voucher.fee', { fee })))
  const buttons = recipient === undefined ? walletButtons(voucher.id, voucher.anyWallet !== undefined, t) : []
  return { message: { embeds: [panel(edge(state), lines, { title })], buttons } }
}

function statusText({ state, code, reason, amount, fromPool }: VoucherView, who: string, t: Translator): string {
  switch (state) {
    case 'live':
      if (who !== '') return t('voucher.liveFor', { who })
      return t('voucher.live', { code: inlineCode(code ?? '') })
    case 'failed':
      return reason === undefined
        ? t(fromPool ? 'voucher.failedPool' : 'voucher.failed')
        : t(fromPool ? 'voucher.failedPoolBecause' : 'voucher.failedBecause', { reason: providerReason(reason, t) })
    case 'revoked':
      return t(fromPool ? 'voucher.revokedPool' : 'voucher.revoked', { amount })
    default:
      return t(`voucher.${state}`)
  }
}

function drawGift(voucher: VoucherView, t: Translator): Drawing {
  const { amount, member, state, code } = voucher
  const title = t('voucher.giftTitle', { amount })
  const text =
    state === 'live' && code !== undefined
      ? t('voucher.gift', { who: mention(member), code: inlineCode(code) })
      : giftOver(voucher, t)
  const buttons = walletButtons(voucher.id, voucher.anyWallet !== undefined, t)
  return { message: { embeds: [panel(edge(state), [quoted(voucher), text], { title })], buttons } }
}

/** Tells the intended recipient how a voucher ended, and whom to ask unless it was redeemed. */
function giftOver({ state, member }: VoucherView, t: Translator): string {
  if (state === 'redeemed') return t('voucher.giftRedeemed')
  return t(state === 'revoked' ? 'voucher.giftRevoked' : 'voucher.giftOver', { who: mention(member) })
}

function drawRedemption({ state, amount }: RedemptionView, t: Translator): Drawing {
  if (state === 'redeemed' && amount !== undefined) {
    return { message: { embeds: [panel(colour.done, t('redemption.redeemed', { amount }))] } }
  }
  if (state === 'checking') {
    return { message: { embeds: [panel(colour.inFlight, t('redemption.checking'))] } }
  }
  return { message: { embeds: [panel(colour.over, t('redemption.nothing'))] } }
}

function quoted({ description }: VoucherView): string {
  return description === '' ? '' : `> ${quotable(description, MAX_DESCRIPTION_LENGTH)}\n`
}

function edge(state: VoucherView['state']): number {
  if (state === 'live') return colour.satchel
  if (state === 'creating' || state === 'unknown' || state === 'revoking') return colour.inFlight
  return state === 'redeemed' ? colour.done : colour.over
}
