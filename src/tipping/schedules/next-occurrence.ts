import { Temporal } from 'temporal-polyfill'

/** A time of the week on a place's clock. */
export interface Rhythm {
  /** The weekday, from 1 for Monday, as in ISO 8601; null for every day. */
  readonly weekday: number | null
  readonly hour: number
  readonly minute: number
  /** The IANA name of the place's time zone: `Europe/Berlin`. */
  readonly zone: string
}

/**
 * Returns the first occurrence of a rhythm after `afterMs`, both in milliseconds since 1970. If the clocks skip that
 * time of day when they are set forward, returns the time that they show instead: 03:30 for 02:30. If the time occurs
 * twice because the clocks are set back, returns the first occurrence.
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

/** Returns the stored name of a time zone as typed; undefined if the zone is unknown. */
export function readZone(typed: string): string | undefined {
  try {
    return Temporal.Now.zonedDateTimeISO(typed.trim()).timeZoneId
  } catch {
    return undefined
  }
}
