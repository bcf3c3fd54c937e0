import type { Msats } from '../../lib/money/amount.ts'
import type { FiatValue, Tipping } from '../../tipping/tipping.ts'
import { relative } from '../discord/panel.ts'
import type { Translator } from '../i18n/translator.ts'

/** "≈ $2.10", with the age of its price where there is room; empty where no fresh price is known. */
export function fiatValueText(
  tipping: Pick<Tipping, 'fiatValue'>,
  amount: Msats,
  t: Translator,
  dated = false,
): string {
  const value = amount > 0n ? tipping.fiatValue(amount) : undefined
  if (value === undefined) return ''
  const text = money(value, t.locale)
  return dated ? t('fiatValue.dated', { worth: text, when: relative(value.at) }) : t('fiatValue.about', { worth: text })
}

/** Cents where there are any; a fraction of a cent by its first two digits. */
function money({ value, currency }: FiatValue, locale: string): string {
  const digits = value < 0.01 ? { maximumSignificantDigits: 2 } : {}
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(value)
}
