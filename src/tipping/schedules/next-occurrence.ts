import { Temporal } from 'temporal-polyfill'

/** A time of the week on the clock of a place. */
export interface Rhythm {
  /** 1: Monday, as ISO 8601 counts; null: every day. */
  readonly weekday: number | null
  readonly hour: number
  readonly minute: number
  /** As IANA names it: `Europe/Berlin`. */
  readonly zone: string
}

/**
 * The first such moment later than `afterMs`, both in milliseconds since 1970. Where clocks are set forward over it, the time that they
 * show instead: 03:30 for 02:30. Where they are set back and it comes twice, the first of the two.
 */
export function occurrenceAfter({ weekday, hour, minute, zone }: Rhythm, afterMs: number): number {
  const plainTime = { hour, minute }
  let day = Temporal.Instant.fromEpochMilliseconds(afterMs).toZonedDateTimeISO(zone).toPlainDate()
  for (;;) {
    const at = day.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds
    if (at > afterMs && (weekday === null || day.dayOfWeek === weekday)) return at
    day = day.add({ days: 1 })
  }
}

/** The stored name of a time zone; undefined for an unknown one. */
export function readZone(typed: string): string | undefined {
  try {
    return Temporal.Now.zonedDateTimeISO(typed.trim()).timeZoneId
  } catch {
    return undefined
  }
}
