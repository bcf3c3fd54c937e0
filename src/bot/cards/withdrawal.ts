import type { Tipping, WithdrawalView } from '../../tipping/tipping.ts'
import { decisionButtons } from '../buttons/withdrawal.ts'
import { colour, mention, panel } from '../look.ts'
import type { Message } from '../message.ts'
import { quotable } from '../refusal-words.ts'
import type { Words } from '../words.ts'
import { about } from '../worth.ts'
import { drawWithdrawal, titleOf } from './draw-withdrawal.ts'
import { face } from './face.ts'

/** Follows a withdrawal from the word that sent it to its end; told by private message when that comes late. */
export const withdrawalFace = face({
  load: (tipping, record) => tipping.withdrawals.view(record),
  draw: async (view, words) => ({ message: await drawWithdrawal(view, words) }),
})

const MAX_ADDRESS_LENGTH = 80

/** What is about to be sent and what it may cost, before anything moves. Said once; whatever follows is a card. */
export function drawAsked(view: WithdrawalView, tipping: Tipping, words: Words): Message {
  const { amount, feeLimit, everything } = view
  const lines = [
    about(tipping, amount, words, true),
    everything ? words.say('withdrawal.everything') : '',
    whereTo(view, words),
    feeLimit > 0n ? words.say('withdrawal.feeLimit', { limit: feeLimit }) : words.say('withdrawal.noFee'),
  ]
  const title = titleOf(view, words)
  return { embeds: [panel(colour.satchel, lines, { title })], buttons: decisionButtons(view, words) }
}

function whereTo({ kind, destination = '', payee = '' }: WithdrawalView, words: Words): string {
  switch (kind) {
    case 'request':
      return words.say('withdrawal.askRequest')
    case 'invoice':
      return words.say('withdrawal.askInvoice')
    case 'address':
      return words.say('withdrawal.askAddress', { address: quotable(destination, MAX_ADDRESS_LENGTH) })
    case 'pay':
      return words.say('withdrawal.askPay', { who: mention(payee) })
    default:
      return kind satisfies never
  }
}
