import type { MemberLine } from '../../tipping/tipping.ts'
import { csvOf, plainSats } from '../files/csv.ts'

const COLUMNS = ['time', 'what', 'sats', 'balance_sats', 'with', 'operation'] as const

/** A member's bookings as CSV: times in ISO 8601, sats as plain decimals, people by their Discord id. A tip from wallet to wallet changes no balance. */
export function historyCsv(lines: readonly MemberLine[]): string {
  const rows = lines.map(({ at, what, amount, balance, who, operation }) => [
    at.toISOString(),
    what,
    plainSats(amount),
    balance === undefined ? '' : plainSats(balance),
    who ?? '',
    operation,
  ])
  return csvOf(COLUMNS, rows)
}
