import type { FiatValue } from './price-source.ts'

/** Formats `$2.10`: with cents if there are any, and a fraction of a cent with its first two digits. */
export function fiatText({ value, currency }: Pick<FiatValue, 'value' | 'currency'>, locale: string): string {
  const digits = value < 0.01 ? { maximumSignificantDigits: 2 } : {}
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(value)
}
