import { Temporal } from 'temporal-polyfill'

/** A time of the week on a place's clock. */
export interface Rhythm {
  /** 1: Monday, as in ISO 8601; null: every day. */
  readonly weekday: number | null
  readonly hour: number
  readonly minute: number
  /** The IANA name: `Europe/Berlin`. */
  readonly zone: string
}

/**
 * Returns the first such moment after `afterMs`, both in milliseconds since 1970. If clocks skip this time when they
 * are set forward, returns the time that they show instead: 03:30 for 02:30. If it comes twice because clocks are set
 * back, returns the first.
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

/** Returns a time zone's stored name; undefined for an unknown one. */
export function readZone(typed: string): string | undefined {
  try {
    return Temporal.Now.zonedDateTimeISO(typed.trim()).timeZoneId
  } catch {
    return undefined
  }
}
