import { Temporal } from 'temporal-polyfill'

/** A finished week or month, according to a server's clock. */
export interface RecapPeriod {
  /** The name that identifies the period in its server: `week 2026-11-16`. */
  readonly name: string
  readonly from: Date
  readonly until: Date
  /**
   * The period's days, oldest first, each with midnight UTC of its date, for display, and its start according to the
   * server's clock.
   */
  readonly days: readonly { readonly date: Date; readonly begins: Date }[]
}

/**
 * Returns the last whole week (from Monday) or month before a moment, according to a zone's clock. `atMs` is the
 * moment, in milliseconds since 1970.
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
