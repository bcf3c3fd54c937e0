import { csvOf, harmless, plainSats } from '../../lib/csv.ts'
import type { BookedValue, ExportedLine } from '../../tipping/tipping.ts'

/** The five columns with a booking's value at the time of the booking. */
export const WORTH_COLUMNS = ['value', 'currency', 'bitcoin_price', 'price_time', 'price_source'] as const

/** Returns the cells of these columns, all of them empty if no price of that time is known. */
export function worthCells(worth: BookedValue | undefined): string[] {
  if (worth === undefined) return ['', '', '', '', '']
  const { value, currency, price, at, source } = worth
  return [value, currency, price, at.toISOString(), source]
}

const COLUMNS = [
  'time',
  'what',
  'sats',
  'balance_sats',
  'with',
  'operation',
  'reason',
  'rule',
  'api_key',
  ...WORTH_COLUMNS,
] as const

/**
 * Formats a member's bookings as CSV: times in ISO 8601, sats as plain decimals, people by their Discord id. The
 * balance is empty for a tip from wallet to wallet, which changes no balance.
 */
export function historyCsv(lines: readonly ExportedLine[]): string {
  const rows = lines.map(({ at, what, amount, balance, who, operation, reason, rule, apiKey, worth }) => [
    at.toISOString(),
    what,
    plainSats(amount),
    balance === undefined ? '' : plainSats(balance),
    who ?? '',
    operation,
    harmless(reason),
    rule ?? '',
    harmless(apiKey ?? ''),
    ...worthCells(worth),
  ])
  return csvOf(COLUMNS, rows)
}
