import { lightningUri } from '../../lib/lightning/lnurl.ts'
import { qrPng } from '../../lib/lightning/qr.ts'
import { ceilToSat } from '../../lib/money/amount.ts'
import type { WithdrawalView } from '../../tipping/tipping.ts'
import { receiptOf } from '../history/receipt-button.ts'
import { saidLines } from '../history/said-lines.ts'
import type { Translator } from '../i18n/translator.ts'
import { button, type Message } from '../messages/message.ts'
import { colour, panel, relative } from '../messages/panel.ts'
import { type Links, payButtons } from '../pay-pages/links.ts'
import { limitSaid, meaningOf, providerReason } from '../refusals/provider-reason.ts'

/** The verb of the button that sends the code as text. */
export const CODE_VERB = 'withdraw-code'
/** The verb of the button that ends the code. */
export const CANCEL_CODE_VERB = 'withdraw-end'

/** Draws a confirmed withdrawal in its present state. */
export async function drawWithdrawal(view: WithdrawalView, t: Translator, links: Links): Promise<Message> {
  const title = titleOf(view, t)
  if (view.late || view.state !== 'offered' || view.request === undefined) {
    const buttons = view.state === 'paid' ? [receiptOf(view.id, t)] : []
    return { embeds: [panel(edge(view), [statusText(view, t), ...saidLines(view.said, t)], { title })], buttons }
  }
  const picture = {
    name: 'withdrawal.png',
    png: await qrPng(lightningUri(view.request), { minimumPixels: 512 }),
    alt: t('withdrawal.alt', { amount: view.amount }),
  }
  const text = [
    view.triedInVain ? t('withdrawal.triedInVain') : '',
    t('withdrawal.offered', { until: relative(view.expiresAt ?? new Date(0)) }),
  ]
  return {
    embeds: [panel(colour.satchel, text, { title, picture: picture.name })],
    buttons: [
      ...payButtons(links, view.card ?? '', t),
      button(CODE_VERB, view.card ?? '', t('withdrawal.copyButton'), { emoji: '📋' }),
      button(CANCEL_CODE_VERB, view.id, t('withdrawal.cancelButton')),
    ],
    pictures: [picture],
  }
}

export function titleOf({ kind, amount }: WithdrawalView, t: Translator): string {
  return t(kind === 'pay' ? 'withdrawal.payTitle' : 'withdrawal.title', { amount })
}

function statusText(view: WithdrawalView, t: Translator): string {
  const { state, fee, feeLimit, endedAt } = view
  const when = relative(endedAt ?? new Date(0))
  if (view.late) return lateText(view, t)
  switch (state) {
    case 'paid':
      if (fee === undefined) return t('withdrawal.paidUnpriced', { when, limit: feeLimit })
      return fee === 0n ? t('withdrawal.paidFree', { when }) : t('withdrawal.paid', { when, fee: ceilToSat(fee) })
    case 'returned':
      return returnedText(view, t)
    case 'cancelled':
    case 'unknown':
    case 'claimed':
      return t(`withdrawal.${state}`)
    default:
      return t('withdrawal.sending')
  }
}

/** Explains an unknown outcome to the member, and whom to ask: first the receiver, and operators after a day. */
function lateText({ id, kind }: WithdrawalView, t: Translator): string {
  const step = t(kind === 'request' ? 'withdrawal.lateLook' : 'withdrawal.lateAsk')
  return `${t('withdrawal.late')} ${step}\n\n${t('withdrawal.lateOperators', { id })}`
}

function returnedText(view: WithdrawalView, t: Translator): string {
  // The person who asked for a fixed sum chose it, and its payer cannot change it.
  const isFixed = view.kind === 'pay' || view.kind === 'invoice'
  const said = isFixed ? undefined : limitSaid(view.reason, t)
  return said === undefined
    ? t('withdrawal.returned', { why: whyReturned(view, t) })
    : t('withdrawal.returnedLimit', { said })
}

function whyReturned({ because = 'refused', reason }: WithdrawalView, t: Translator): string {
  if (because === 'refused' && reason !== undefined) {
    return t('withdrawal.why.refusedBecause', { reason: providerReason(reason, t) })
  }
  const says = because === 'failed' || because === 'unreachable' ? meaningOf(reason, t) : undefined
  return says ?? t(`withdrawal.why.${because}`)
}

function edge({ state }: WithdrawalView): number {
  if (state === 'paid') return colour.done
  return state === 'returned' || state === 'cancelled' ? colour.over : colour.inFlight
}
