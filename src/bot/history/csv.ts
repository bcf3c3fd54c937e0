import { csvOf, harmless, plainSats } from '../../lib/csv.ts'
import type { ExportedLine } from '../../tipping/tipping.ts'
import { WORTH_COLUMNS, worthCells } from '../files/worth-cells.ts'

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

/** A member's bookings as CSV: times in ISO 8601, sats as plain decimals, people by their Discord id. A tip from wallet to wallet changes no balance. */
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
