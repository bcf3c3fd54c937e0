import { stringify } from 'csv-stringify/sync'
import { msats } from '../../lib/money/amount.ts'
import type { PoolLine } from '../../tipping/tipping.ts'

const COLUMNS = ['time', 'what', 'sats', 'pool_sats', 'by', 'to', 'reason', 'operation'] as const

/**
 * A pool's moves as CSV (RFC 4180): times in ISO 8601, sats as plain decimals, people by their Discord id. What people
 * wrote cannot be a formula: a spreadsheet would run it.
 */
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
  // A byte-order mark, without which Excel would not read it as UTF-8.
  return stringify([COLUMNS, ...rows], { bom: true, record_delimiter: 'windows' })
}

/** Without separators: `1234.567`, `-5`. */
function plainSats(amount: bigint): string {
  const [sign, positive] = amount < 0n ? ['-', msats(-amount)] : ['', msats(amount)]
  const fraction = String(positive % 1_000n)
    .padStart(3, '0')
    .replace(/0+$/, '')
  return `${sign}${positive / 1_000n}${fraction === '' ? '' : `.${fraction}`}`
}

function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}
