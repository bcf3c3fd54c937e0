import { describe, expect, it } from 'vitest'
import { readDuration } from '../../../src/tipping/giveaways/read-duration.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function refusalOf(text: string) {
  try {
    return { read: readDuration(text) }
  } catch (error) {
    const { code, facts } = error as { code: string; facts: unknown }
    return { code, facts }
  }
}

describe('a typed duration', () => {
  it.each([
    ...[['1m', MINUTE] as const, ['5min', 5 * MINUTE] as const, ['5 mins', 5 * MINUTE] as const],
    ...[['1 minute', MINUTE] as const, ['90 minutes', 90 * MINUTE] as const],
    ...[['2h', 2 * HOUR] as const, ['1 hr', HOUR] as const, ['2hrs', 2 * HOUR] as const],
    ...[['1 hour', HOUR] as const, ['2 hours', 2 * HOUR] as const],
    ...[['1d', DAY] as const, ['1 day', DAY] as const, ['3 days', 3 * DAY] as const],
    ...[['1w', 7 * DAY] as const, ['1 week', 7 * DAY] as const, ['2 weeks', 14 * DAY] as const],
    ...[['1d 12h', 36 * HOUR] as const, ['1d12h', 36 * HOUR] as const, ['1 day, 2 hours', 26 * HOUR] as const],
    ...[['  2 H  ', 2 * HOUR] as const, ['30d', 30 * DAY] as const, ['12h  30   minutes', 750 * MINUTE] as const],
    [`${' '.repeat(30)}1m${' '.repeat(30)}`, MINUTE] as const,
    [`1${' '.repeat(38)}m`, MINUTE] as const,
  ])('is understood: %j', (text, ms) => {
    expect(readDuration(text)).toBe(ms)
  })

  it.each([
    ...['', '5', 'soon', 'm', '5 x', '5 mx', '5 xm', '5 mxx', '1h!', '1h and 5', '-1h', '1.5h', '1,5', '1-h', '5 12m'],
    `1${' '.repeat(39)}m`,
  ])('is quoted if it is not understood: %j', (text) => {
    expect(refusalOf(text)).toEqual({ code: 'duration-not-understood', facts: { text } })
  })

  it.each(['0m', '43201m', '721h', '31d'])('is refused with the bounds if it is too short or too long: %j', (text) => {
    expect(refusalOf(text)).toEqual({ code: 'duration-out-of-range', facts: { shortest: 1, longest: 30 } })
  })

  it('is quoted with an ellipsis if it is long', () => {
    expect(refusalOf('x'.repeat(61))).toMatchObject({ facts: { text: `${'x'.repeat(59)}…` } })
  })
})
