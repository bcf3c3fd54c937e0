import type { Msats } from '../../lib/money/amount.ts'
import { fiatText } from '../../lib/prices/fiat-text.ts'
import type { Tipping } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { relative } from './panel.ts'

/** Formats an amount's value, such as "≈ $2.10", with the price's age if `dated`; empty if no fresh price is known. */
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

/** Formats the amount of a request in another currency, such as `USD 0.50`, which no later price changes. */
export function askedWorth(asked: string, t: Translator): string {
  const [currency = '', value] = asked.split(' ')
  return fiatText({ currency, value: Number(value) }, t.locale)
}
