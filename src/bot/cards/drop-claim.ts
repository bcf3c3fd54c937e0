import { inlineCode } from 'discord.js'
import type { DropClaimView } from '../../tipping/tipping.ts'
import { cashOutButton } from '../buttons/cash-out.ts'
import { colour, mention, panel } from '../look.ts'
import type { Words } from '../words.ts'
import { type Drawing, face } from './face.ts'
import { whyKept } from './kept.ts'

/**
 * One person's share of a drop, or their chance. Who was drawn is told in the channel, so nobody is told it twice; a code
 * is told nowhere else.
 */
export const dropClaimFace = face({
  load: (tipping, record) => tipping.drops.claimView(record),
  draw: drawDropClaim,
  late: ({ voucher }) => (voucher?.code === undefined ? 'silence' : 'message'),
})

export function drawDropClaim(claim: DropClaimView, words: Words): Drawing {
  const { chance, owner, amount, state } = claim
  if (chance === 'entered') {
    return { message: { embeds: [panel(colour.satchel, words.say('drop.mine.entered', { amount }))] } }
  }
  if (chance === 'missed') {
    return { message: { embeds: [panel(colour.over, words.say('drop.mine.missed'))] } }
  }
  const title = words.say('drop.mine.title', { amount })
  const edge = state === 'sending' || state === 'unknown' ? colour.inFlight : colour.done
  const lines = [words.say('drop.mine.from', { who: mention(owner) }), where(claim, words)]
  const stays = claim.voucher === undefined && (state === 'credited' || state === 'kept')
  const buttons = stays ? [cashOutButton(claim.id, words.say('claim.cashOutButton'))] : []
  return { message: { embeds: [panel(edge, lines, { title })], buttons } }
}

function where(claim: DropClaimView, words: Words): string {
  const { voucher, state, transactionId } = claim
  if (voucher !== undefined) {
    return voucher.code === undefined
      ? words.say('voucher.giftOver')
      : words.say('drop.mine.code', { code: inlineCode(voucher.code) })
  }
  if (state === 'kept') return words.say('claim.kept', { why: whyKept(claim, words) })
  if (state === 'paid' && transactionId !== undefined) {
    return words.say('claim.paidAs', { transaction: inlineCode(transactionId) })
  }
  return words.say(`claim.${state}`)
}
