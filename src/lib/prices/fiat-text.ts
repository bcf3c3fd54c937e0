import type { FiatValue } from './price-source.ts'

/**
 * Formats a value such as `$2.10`: with cents if the currency has any, and a value of less than a cent with its first
 * two digits that are not zero.
 */
export function fiatText({ value, currency }: Pick<FiatValue, 'value' | 'currency'>, locale: string): string {
  const digits = value < 0.01 ? { maximumSignificantDigits: 2 } : {}
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(value)
}
