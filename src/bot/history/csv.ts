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
  ...WORTH_COLUMNS,
] as const

/** A member's bookings as CSV: times in ISO 8601, sats as plain decimals, people by their Discord id. A tip from wallet to wallet changes no balance. */
export function historyCsv(lines: readonly ExportedLine[]): string {
  const rows = lines.map(({ at, what, amount, balance, who, operation, reason, rule, worth }) => [
    at.toISOString(),
    what,
    plainSats(amount),
    balance === undefined ? '' : plainSats(balance),
    who ?? '',
    operation,
    harmless(reason),
    rule ?? '',
    ...worthCells(worth),
  ])
  return csvOf(COLUMNS, rows)
}
