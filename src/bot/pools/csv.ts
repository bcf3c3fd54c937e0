import { csvOf, harmless, plainSats } from '../../lib/csv.ts'
import type { ExportedPoolLine } from '../../tipping/tipping.ts'
import { WORTH_COLUMNS, worthCells } from '../history/csv.ts'

const COLUMNS = [
  'time',
  'what',
  'sats',
  'pool_sats',
  'by',
  'to',
  'reason',
  'operation',
  'rule',
  'api_key',
  ...WORTH_COLUMNS,
] as const

/** Formats a pool's moves as CSV: times in ISO 8601, sats as plain decimals, people by their Discord id. */
export function poolCsv(lines: readonly ExportedPoolLine[]): string {
  const rows = lines.map(({ at, what, amount, balance, member, recipient, reason, operation, rule, apiKey, worth }) => [
    at.toISOString(),
    what,
    plainSats(amount),
    plainSats(balance),
    member ?? '',
    recipient ?? '',
    harmless(reason ?? ''),
    operation,
    rule ?? '',
    harmless(apiKey ?? ''),
    ...worthCells(worth),
  ])
  return csvOf(COLUMNS, rows)
}
