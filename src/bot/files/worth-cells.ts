import type { BookedValue } from '../../tipping/tipping.ts'

/** The five columns with a booking's value at its time. */
export const WORTH_COLUMNS = ['value', 'currency', 'bitcoin_price', 'price_time', 'price_source'] as const

/** Empty where no price of that time is known. */
export function worthCells(worth: BookedValue | undefined): string[] {
  if (worth === undefined) return ['', '', '', '', '']
  const { value, currency, price, at, source } = worth
  return [value, currency, price, at.toISOString(), source]
}
