import { describe, expect, it } from 'vitest'
import { occurrenceAfter, readZone } from '../../../src/tipping/schedules/next-occurrence.ts'

const after = (iso: string, weekday: number | null, time: string, zone: string) => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return new Date(occurrenceAfter({ weekday, hour, minute, zone }, Date.parse(iso))).toISOString()
}

/** Tests a Friday (5) and a Sunday (7) on both sides of each change of the clocks. */
describe('the next occurrence of a schedule', () => {
  it.each([
    // Berlin: forward on 31 March 2030 at 02:00, back on 27 October at 03:00.
    ['2030-03-29T17:00:00Z', 5, '18:00', 'Europe/Berlin', '2030-04-05T16:00:00.000Z'],
    ['2030-03-29T16:59:59.999Z', 5, '18:00', 'Europe/Berlin', '2030-03-29T17:00:00.000Z'],
    ['2030-03-31T00:00:00Z', 7, '02:30', 'Europe/Berlin', '2030-03-31T01:30:00.000Z'],
    ['2030-03-31T01:30:00Z', null, '02:30', 'Europe/Berlin', '2030-04-01T00:30:00.000Z'],
    ['2030-10-26T00:00:00Z', 7, '02:30', 'Europe/Berlin', '2030-10-27T00:30:00.000Z'],
    ['2030-10-27T00:30:00Z', null, '02:30', 'Europe/Berlin', '2030-10-28T01:30:00.000Z'],
    ['2030-10-25T16:00:00Z', 5, '18:00', 'Europe/Berlin', '2030-11-01T17:00:00.000Z'],
    // New York: forward on 10 March 2030 at 02:00, back on 3 November at 02:00.
    ['2030-03-08T23:00:00Z', 5, '18:00', 'America/New_York', '2030-03-15T22:00:00.000Z'],
    ['2030-03-09T12:00:00Z', null, '02:30', 'America/New_York', '2030-03-10T07:30:00.000Z'],
    ['2030-11-02T12:00:00Z', null, '01:30', 'America/New_York', '2030-11-03T05:30:00.000Z'],
    ['2030-11-03T05:30:00Z', null, '01:30', 'America/New_York', '2030-11-04T06:30:00.000Z'],
    // Lord Howe moves by half an hour: forward on 6 October 2030 at 02:00, back on 7 April at 02:00.
    ['2030-10-05T12:00:00Z', 7, '02:15', 'Australia/Lord_Howe', '2030-10-05T15:45:00.000Z'],
    ['2030-10-05T15:45:00Z', null, '02:15', 'Australia/Lord_Howe', '2030-10-06T15:15:00.000Z'],
    ['2030-04-06T12:00:00Z', 7, '01:45', 'Australia/Lord_Howe', '2030-04-06T14:45:00.000Z'],
    ['2030-04-06T14:45:00Z', null, '01:45', 'Australia/Lord_Howe', '2030-04-07T15:15:00.000Z'],
    // No change at all.
    ['2030-01-01T12:00:00Z', 2, '12:00', 'UTC', '2030-01-08T12:00:00.000Z'],
    ['2030-01-01T12:00:00Z', null, '00:00', 'Asia/Kolkata', '2030-01-01T18:30:00.000Z'],
  ] as const)('after %s (weekday: %s) at %s in %s is %s', (iso, weekday, time, zone, expected) => {
    expect(after(iso, weekday, time, zone)).toBe(expected)
  })

  it('comes once a day throughout a year with two clock changes, in three time zones', () => {
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']) {
      let at = Date.UTC(2030, 0, 1)
      const dates = new Set<string>()
      for (let n = 0; n < 365; n += 1) {
        at = occurrenceAfter({ weekday: null, hour: 2, minute: 15, zone }, at)
        dates.add(new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at))
      }
      expect(dates.size, zone).toBe(365)
    }
  })
})

describe('a typed time zone', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    [' utc ', 'UTC'],
    ['Mars/Olympus', undefined],
    ['', undefined],
  ])('“%s” is read as %s', (typed, zone) => {
    expect(readZone(typed)).toBe(zone)
  })
})
