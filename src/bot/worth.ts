import type { Msats } from '../lib/amount.ts'
import type { Tipping, Worth } from '../tipping/tipping.ts'
import { relative } from './look.ts'
import type { Words } from './words.ts'

/** "≈ $2.10", with the age of its price where there is room; empty where no fresh price is known. */
export function about(tipping: Pick<Tipping, 'worth'>, amount: Msats, words: Words, dated = false): string {
  const worth = amount > 0n ? tipping.worth(amount) : undefined
  if (worth === undefined) return ''
  const text = money(worth, words.locale)
  return dated
    ? words.say('worth.dated', { worth: text, when: relative(worth.at) })
    : words.say('worth.about', { worth: text })
}

/** Cents where there are any; a fraction of a cent by its first two digits. */
function money({ value, currency }: Worth, locale: string): string {
  const digits = value < 0.01 ? { maximumSignificantDigits: 2 } : {}
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(value)
}
