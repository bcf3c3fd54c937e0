import type { BookedValue } from '../../tipping/tipping.ts'

/** What a booking was worth at its time, in five columns of a table. */
export const WORTH_COLUMNS = ['value', 'currency', 'bitcoin_price', 'price_time', 'price_source'] as const

/** Empty where no price of that time is known. */
export function worthCells(worth: BookedValue | undefined): string[] {
  if (worth === undefined) return ['', '', '', '', '']
  const { value, currency, price, at, source } = worth
  return [value, currency, price, at.toISOString(), source]
}
