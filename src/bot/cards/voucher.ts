import { inlineCode } from 'discord.js'
import type { RedemptionView, VoucherView } from '../../tipping/tipping.ts'
import { colour, mention, panel } from '../look.ts'
import { quotable } from '../refusal-words.ts'
import type { Words } from '../words.ts'
import { type Drawing, face } from './face.ts'

/** A voucher as its maker sees it: with the code, unless that is somebody else's to know. */
export const voucherFace = face({ load: (tipping, record) => tipping.vouchers.view(record), draw: drawVoucher })

/** "Here is a code for you": told to the one whom a voucher was made for. */
export const voucherGiftFace = face({ load: (tipping, record) => tipping.vouchers.view(record), draw: drawGift })

/** What became of a code that somebody redeemed. */
export const redemptionFace = face({
  load: (tipping, record) => tipping.vouchers.redemption(record),
  draw: drawRedemption,
})

const MAX_DESCRIPTION_LENGTH = 300
const MAX_REASON_LENGTH = 150

export function drawVoucher(voucher: VoucherView, words: Words): Drawing {
  const { amount, fee, state, recipient } = voucher
  const title = words.say('voucher.title', { amount })
  const who = recipient === undefined ? '' : mention(recipient)
  const lines = [quoted(voucher), standing(voucher, who, words)]
  if (state === 'live' && recipient === undefined) lines.push(words.say('voucher.keepSafe'))
  if (fee > 0n && state !== 'failed' && state !== 'creating') lines.push(`-# ${words.say('voucher.fee', { fee })}`)
  return { message: { embeds: [panel(edge(state), lines, { title })] } }
}

function standing({ state, code, reason, amount }: VoucherView, who: string, words: Words): string {
  switch (state) {
    case 'live':
      if (who !== '') return words.say('voucher.liveFor', { who })
      return words.say('voucher.live', { code: inlineCode(code ?? '') })
    case 'failed':
      return reason === undefined
        ? words.say('voucher.failed')
        : words.say('voucher.failedBecause', { reason: quotable(reason, MAX_REASON_LENGTH) })
    case 'revoked':
      return words.say('voucher.revoked', { amount })
    default:
      return words.say(`voucher.${state}`)
  }
}

function drawGift(voucher: VoucherView, words: Words): Drawing {
  const { amount, member, state, code } = voucher
  const title = words.say('voucher.giftTitle', { amount })
  const text =
    state === 'live' && code !== undefined
      ? words.say('voucher.gift', { who: mention(member), code: inlineCode(code) })
      : words.say('voucher.giftOver')
  return { message: { embeds: [panel(edge(state), [quoted(voucher), text], { title })] } }
}

function drawRedemption({ state, amount }: RedemptionView, words: Words): Drawing {
  if (state === 'redeemed' && amount !== undefined) {
    return { message: { embeds: [panel(colour.done, words.say('redemption.redeemed', { amount }))] } }
  }
  if (state === 'checking') {
    return { message: { embeds: [panel(colour.inFlight, words.say('redemption.checking'))] } }
  }
  return { message: { embeds: [panel(colour.over, words.say('redemption.nothing'))] } }
}

function quoted({ description }: VoucherView): string {
  return description === '' ? '' : `> ${quotable(description, MAX_DESCRIPTION_LENGTH)}\n`
}

function edge(state: VoucherView['state']): number {
  if (state === 'live') return colour.satchel
  if (state === 'creating' || state === 'unknown' || state === 'revoking') return colour.inFlight
  return state === 'redeemed' ? colour.done : colour.over
}
