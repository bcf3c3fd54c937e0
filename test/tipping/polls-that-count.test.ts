import { describe, expect, it } from 'vitest'
import { PaymentsError } from '../../src/payments-api/payments-api.ts'
import { afterError, isAnswer } from '../../src/tipping/engine/polling/is-answer.ts'
import { paceMs } from '../../src/tipping/engine/polling/poller.ts'

const DAY = 24 * 3_600_000

describe('an error during a poll', () => {
  const error = (kind: 'refused' | 'unknown', status?: number) =>
    new PaymentsError({ kind, operation: 'getStaticCharge', status, message: 'no' } as never)

  it.each([400, 404, 409, 410])(
    'is an answer, and the poll counts, if the provider refuses with status %d',
    (status) => {
      expect(isAnswer(error('refused', status))).toBe(true)
      expect(afterError(error('refused', status), { inMs: 5 })).toEqual({ inMs: 5 })
    },
  )

  it.each([401, 403, 429, 503])('is not an answer if the provider turns the bot away with status %d', (status) => {
    expect(isAnswer(error('refused', status))).toBe(false)
    expect(afterError(error('refused', status), { inMs: 5 })).toEqual({ inMs: 5, unread: true })
  })

  it('leaves the job unread if the provider has not answered', () => {
    expect(afterError(error('unknown', 404), { inMs: null })).toEqual({ inMs: null, unread: true })
  })
})

it.each([
  [0, 2_000],
  [16_000, 2_000],
  [24_000, 3_000],
  [8 * DAY, DAY],
  [16 * DAY, DAY],
  [-24_000, 3_000],
])('a job that is %d ms old is polled again after %d ms', (age, pause) => {
  expect(paceMs(new Date(1_000_000), 1_000_000 + age)).toBe(pause)
})
