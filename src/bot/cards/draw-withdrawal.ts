import { qrPng } from '../../lib/qr.ts'
import type { WithdrawalView } from '../../tipping/tipping.ts'
import { colour, panel, relative } from '../look.ts'
import { button, type Message } from '../message.ts'
import { quotable } from '../refusal-words.ts'
import type { Words } from '../words.ts'

const MAX_REASON_LENGTH = 150
/** The verb of the button that gives the code as text. */
export const CODE_VERB = 'withdraw-code'

/** A withdrawal as it stands, once its member has said the word. */
export async function drawWithdrawal(view: WithdrawalView, words: Words): Promise<Message> {
  const title = titleOf(view, words)
  if (view.state !== 'offered' || view.request === undefined) {
    return { embeds: [panel(edge(view), standing(view, words), { title })] }
  }
  const picture = {
    name: 'withdrawal.png',
    png: await qrPng(view.request, { minimumPixels: 512 }),
    alt: words.say('withdrawal.alt', { amount: view.amount }),
  }
  const text = words.say('withdrawal.offered', { until: relative(view.expiresAt ?? new Date(0)) })
  return {
    embeds: [panel(colour.satchel, text, { title, picture: picture.name })],
    buttons: [button(CODE_VERB, view.card ?? '', words.say('withdrawal.copyButton'), { emoji: '📋' })],
    pictures: [picture],
  }
}

export function titleOf({ kind, amount }: WithdrawalView, words: Words): string {
  return words.say(kind === 'pay' ? 'withdrawal.payTitle' : 'withdrawal.title', { amount })
}

function standing(view: WithdrawalView, words: Words): string {
  const { state, fee, feeLimit, endedAt } = view
  const when = relative(endedAt ?? new Date(0))
  switch (state) {
    case 'paid':
      if (fee === undefined) return words.say('withdrawal.paidUnpriced', { when, limit: feeLimit })
      return fee === 0n ? words.say('withdrawal.paidFree', { when }) : words.say('withdrawal.paid', { when, fee })
    case 'returned':
      return words.say('withdrawal.returned', { why: whyReturned(view, words) })
    case 'cancelled':
    case 'unknown':
    case 'claimed':
      return words.say(`withdrawal.${state}`)
    default:
      return words.say('withdrawal.sending')
  }
}

function whyReturned({ because = 'refused', reason }: WithdrawalView, words: Words): string {
  if (because === 'refused' && reason !== undefined) {
    return words.say('withdrawal.why.refusedBecause', { reason: quotable(reason, MAX_REASON_LENGTH) })
  }
  return words.say(`withdrawal.why.${because}`)
}

function edge({ state }: WithdrawalView): number {
  if (state === 'paid') return colour.done
  return state === 'returned' || state === 'cancelled' ? colour.over : colour.inFlight
}
