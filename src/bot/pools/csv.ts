import type { PoolLine } from '../../tipping/tipping.ts'
import { csvOf, harmless, plainSats } from '../files/csv.ts'

const COLUMNS = ['time', 'what', 'sats', 'pool_sats', 'by', 'to', 'reason', 'operation'] as const

/** A pool's moves as CSV: times in ISO 8601, sats as plain decimals, people by their Discord id. */
export function poolCsv(lines: readonly PoolLine[]): string {
  const rows = lines.map(({ at, what, amount, balance, member, recipient, reason, operation }) => [
    at.toISOString(),
    what,
    plainSats(amount),
    plainSats(balance),
    member ?? '',
    recipient ?? '',
    harmless(reason ?? ''),
    operation,
  ])
  return csvOf(COLUMNS, rows)
}
