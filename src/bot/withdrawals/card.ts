import { msats, sats } from '../../lib/money/amount.ts'
import type { Tipping, WithdrawalView } from '../../tipping/tipping.ts'
import { renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { fiatValueText } from '../messages/fiat-value.ts'
import type { Message } from '../messages/message.ts'
import { colour, mention, panel } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { decisionButtons } from './buttons.ts'
import { drawWithdrawal, titleOf } from './draw-withdrawal.ts'

/** Shows a withdrawal from its confirmation to its end. If the end comes late, a private message reports it. */
export const withdrawalRenderer = renderCard({
  load: (tipping, record) => tipping.withdrawals.view(record),
  draw: async (view, t, links) => ({ message: await drawWithdrawal(view, t, links) }),
})

const MAX_ADDRESS_LENGTH = 80

/**
 * Draws the question that shows the payment and its highest fee before anything moves. The question is shown once;
 * later messages are cards. `goes`: a text about the receiver, if the withdrawal itself does not contain it.
 */
export function drawAsked(view: WithdrawalView, tipping: Tipping, t: Translator, goes = whereTo(view, t)): Message {
  const { amount, everything, feeLimit } = view
  const lines = [
    fiatValueText(tipping, amount, t, true),
    everything && feeLimit > 0n ? t('withdrawal.everything') : '',
    goes,
    [feeWords(view, t), isItWorth(view, t)].filter(Boolean).join(' '),
  ]
  const title = titleOf(view, t)
  return { embeds: [panel(colour.satchel, lines, { title })], buttons: decisionButtons(view, t) }
}

/** The fee limit of every small withdrawal. The fee limit of a larger one is a smaller share of its amount. */
const SMALL_FEE = sats(10)

/** Returns advice if the fee limit exceeds a tenth of the amount: the smallest amount for which it does not. */
function isItWorth({ amount, feeLimit: limit, price }: WithdrawalView, t: Translator): string {
  const from = msats(limit * 10n)
  if (limit === 0n || limit > SMALL_FEE || price === limit || amount >= from) return ''
  return t('withdrawal.feeHeavy', { from })
}

function feeWords({ feeLimit: limit, price }: WithdrawalView, t: Translator): string {
  if (limit === 0n) return t('withdrawal.noFee')
  // If the price differs from the reserve, it has changed, and the limit applies.
  return price === limit ? t('withdrawal.price', { price }) : t('withdrawal.feeLimit', { limit })
}

function whereTo({ kind, destination = '', payee = '' }: WithdrawalView, t: Translator): string {
  switch (kind) {
    case 'request':
      return t('withdrawal.askRequest')
    case 'invoice':
      return t('withdrawal.askInvoice')
    case 'address':
      if (destination.startsWith('@')) return t('withdrawal.askWallet', { name: quotable(destination.slice(1)) })
      return t('withdrawal.askAddress', { address: quotable(destination, MAX_ADDRESS_LENGTH) })
    case 'pay':
      return t('withdrawal.askPay', { who: mention(payee) })
    default:
      return kind satisfies never
  }
}
