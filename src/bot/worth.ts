import type { Msats } from '../lib/amount.ts'
import type { Tipping, Worth } from '../tipping/tipping.ts'
import type { Translator } from './i18n/translator.ts'
import { relative } from './look.ts'

/** "≈ $2.10", with the age of its price where there is room; empty where no fresh price is known. */
export function about(tipping: Pick<Tipping, 'worth'>, amount: Msats, t: Translator, dated = false): string {
  const worth = amount > 0n ? tipping.worth(amount) : undefined
  if (worth === undefined) return ''
  const text = money(worth, t.locale)
  return dated ? t('worth.dated', { worth: text, when: relative(worth.at) }) : t('worth.about', { worth: text })
}

/** Cents where there are any; a fraction of a cent by its first two digits. */
function money({ value, currency }: Worth, locale: string): string {
  const digits = value < 0.01 ? { maximumSignificantDigits: 2 } : {}
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(value)
}
