import type { Msats } from '../../lib/money/amount.ts'
import { fiatText } from '../../lib/prices/fiat-text.ts'
import type { Tipping } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { relative } from './panel.ts'

/** Formats "≈ $2.10", with the price's age if there is room; empty if no fresh price is known. */
export function fiatValueText(
  tipping: Pick<Tipping, 'fiatValue'>,
  amount: Msats,
  t: Translator,
  dated = false,
): string {
  const value = amount > 0n ? tipping.fiatValue(amount) : undefined
  if (value === undefined) return ''
  const text = fiatText(value, t.locale)
  return dated ? t('fiatValue.dated', { worth: text, when: relative(value.at) }) : t('fiatValue.about', { worth: text })
}

/** Formats an amount as it was requested, `USD 0.50`. It reflects that time's price, so it never changes. */
export function askedWorth(asked: string, t: Translator): string {
  const [currency = '', value] = asked.split(' ')
  return fiatText({ currency, value: Number(value) }, t.locale)
}
