import type { InvoicedTipView, TipNotSentReason } from '../../tipping/tipping.ts'
import type { Key, Translator } from '../i18n/translator.ts'
import { mention, relative, small } from '../messages/panel.ts'

/** The most recipients who are named. If there are more, only their number is shown. */
const MAX_NAMED = 12

/** Explains how to pay a tip by invoice, and what follows the payment. */
export function howToPayTip(tip: InvoicedTipView, t: Translator): string {
  const { total, missing, until, withoutWallet } = tip
  return [
    t('invoicedTip.open', { total, people: people(tip.to, t) }),
    total > missing ? t('invoicedTip.rest', { rest: total - missing }) : '',
    withoutWallet.length > 0 ? t('invoicedTip.noWallet', { people: people(withoutWallet, t) }) : '',
    small(t('invoicedTip.until', { until: relative(until) })),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

/** Reports the outcome of a tip whose invoice has been paid. */
export function endOfTip({ state, total, missing, to, because }: InvoicedTipView, t: Translator): string {
  if (state !== 'kept') return t('invoicedTip.sent', { total, people: people(to, t) })
  return [t('invoicedTip.kept', { amount: missing }), t(reasonOf(because ?? 'unexpected'))].join('\n')
}

function reasonOf(because: TipNotSentReason): Extract<Key, `invoicedTip.because.${string}`> {
  switch (because) {
    case 'late':
      return 'invoicedTip.because.late'
    case 'sent-before':
      return 'invoicedTip.because.sentBefore'
    case 'insufficient-funds':
      return 'invoicedTip.because.spent'
    case 'amount-too-large':
    case 'amount-too-small':
    case 'cooling-down':
    case 'limit-new-account':
    case 'limit-reached':
      return 'invoicedTip.because.limits'
    default:
      return 'invoicedTip.because.other'
  }
}

function people(ids: readonly string[], t: Translator): string {
  return ids.length > 0 && ids.length <= MAX_NAMED ? t.list(ids.map(mention)) : t('tip.people', { count: ids.length })
}
