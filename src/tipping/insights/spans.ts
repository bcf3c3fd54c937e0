import type { Span } from './insights.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HOURS = 24
const MONTHS = 12
const DAYS = { week: 7, month: 30 } as const

/**
 * Returns the starts (UTC) of a span's hours, days or months, oldest first. The last start is that of the present hour,
 * day or month.
 */
export function bucketsOf(span: Span, now: number): Date[] {
  const at = new Date(now)
  switch (span) {
    case 'day':
      return count(HOURS, (ago) => Math.floor(now / HOUR_MS) * HOUR_MS - ago * HOUR_MS)
    case 'week':
    case 'month':
      return count(DAYS[span], (ago) => Math.floor(now / DAY_MS) * DAY_MS - ago * DAY_MS)
    case 'year':
      return count(MONTHS, (ago) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - ago, 1))
    default:
      return span satisfies never
  }
}

function count(many: number, begin: (ago: number) => number): Date[] {
  return Array.from({ length: many }, (_, index) => new Date(begin(many - 1 - index)))
}
