import { Temporal } from 'temporal-polyfill'

/** A finished week or month, by a server's clock. */
export interface RecapPeriod {
  /** Identifies one of a server's periods: `week 2026-11-16`. */
  readonly name: string
  readonly from: Date
  readonly until: Date
  /** Its days, oldest first: midnight UTC of the date, for display, and the day's start by the server's clock. */
  readonly days: readonly { readonly date: Date; readonly begins: Date }[]
}

/**
 * Returns the last whole week (from Monday) or month before a moment, in milliseconds since 1970, by a zone's clock.
 */
export function lastPeriod(kind: 'week' | 'month', atMs: number, timeZone: string): RecapPeriod {
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone).toPlainDate()
  const until = kind === 'week' ? today.subtract({ days: today.dayOfWeek - 1 }) : today.with({ day: 1 })
  const from = kind === 'week' ? until.subtract({ weeks: 1 }) : until.subtract({ months: 1 })
  const begins = (day: Temporal.PlainDate) => new Date(day.toZonedDateTime({ timeZone }).epochMilliseconds)
  const days = Array.from({ length: from.until(until).days }, (_, count) => from.add({ days: count })).map((day) => ({
    date: new Date(`${day.toString()}T00:00:00Z`),
    begins: begins(day),
  }))
  return { name: `${kind} ${from.toString()}`, from: begins(from), until: begins(until), days }
}
