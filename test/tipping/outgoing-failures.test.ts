import { describe, expect, it } from 'vitest'
import { PaymentsError } from '../../src/payments-api/payments-api.ts'
import { failureOf, outcomeOfError } from '../../src/tipping/engine/outgoing/failures.ts'
import type { OutgoingContext } from '../../src/tipping/engine/outgoing/outgoing.ts'
import { mayReplay, REPLAY_WITHIN_MS } from '../../src/tipping/engine/outgoing/replays.ts'

const contextThat = (some: object) =>
  ({
    ...{ payments: { provider: 'one' }, replaysKeys: () => true, clockWatch: { mostSince: () => 0 } },
    ...{ stillReplays: async () => true, outgoingKinds: [], commit: async () => undefined },
    ...some,
  }) as unknown as OutgoingContext
const SENT_AT = new Date(0)
const SENT = { provider: 'one', replays: true }
const away = new PaymentsError({ kind: 'unreachable', operation: 'decodeCharge', message: 'It is away.' })

describe('an error in the bot’s own code', () => {
  const ours = new TypeError('a mistake of ours')

  it('is rethrown, and is not taken as the outcome of the payment', () => {
    expect(() => outcomeOfError({ name: 'payout' }, ours)).toThrow(ours)
  })

  it('is rethrown, and is not mistaken for an unreachable provider', async () => {
    const failing = (error: Error) => contextThat({ stillReplays: () => Promise.reject(error) })
    await expect(mayReplay(failing(ours), SENT, SENT_AT)).rejects.toThrow(ours)
    expect(await mayReplay(failing(away), SENT, SENT_AT)).toBe('unread')
  })
})

it.each<[string, 'yes' | 'no', object, object]>([
  ['is sent again if its provider replays keys and remembers this key', 'yes', {}, {}],
  ['is not sent again if its provider did not replay keys when it was sent', 'no', { replays: false }, {}],
  ['is not sent again at a different provider', 'no', { provider: 'two' }, {}],
  ['is not sent again if its provider is not known to replay keys now', 'no', {}, { replaysKeys: () => false }],
  ['is not sent again once a day has passed', 'no', {}, { clockWatch: { mostSince: () => REPLAY_WITHIN_MS } }],
  ['is sent again until a day has passed', 'yes', {}, { clockWatch: { mostSince: () => REPLAY_WITHIN_MS - 1 } }],
  ['is not sent again if its provider has forgotten the key', 'no', {}, { stillReplays: async () => false }],
])('a payment with a stored key %s', async (_, may, sent, context) => {
  expect(await mayReplay(contextThat(context), { ...SENT, ...sent }, SENT_AT)).toBe(may)
})

describe('a failure with proof that nothing was sent', () => {
  const failureOfA = (kind: 'refused' | 'unreachable', status?: number) =>
    failureOf(new PaymentsError({ kind, operation: 'payToGamertag', message: 'No.', ...(status && { status }) }))

  it.each([
    [400, 'refused'],
    [429, 'unreachable'],
    [503, 'unreachable'],
  ])('keeps the provider’s own message as its reason if the status is %d', (status, because) => {
    expect(failureOfA('refused', status)).toEqual({ kind: 'failed', because, reason: 'No.' })
  })

  it('has no message if the provider was unreachable', () => {
    expect(failureOfA('unreachable')).toEqual({ kind: 'failed', because: 'unreachable', reason: null })
  })

  it('is interpreted according to the payment’s kind, unless the sats may have left', () => {
    const read = { kind: 'failed', because: 'over', reason: 'No.' } as const
    const refused = new PaymentsError({ kind: 'refused', operation: 'x', message: 'No.', status: 404 })
    expect(outcomeOfError({ name: 'payout', failureOf: () => read }, refused)).toEqual(read)
    expect(outcomeOfError({ name: 'payout' }, refused)).toMatchObject({ because: 'refused' })
    const lost = new PaymentsError({ kind: 'unknown', operation: 'x', message: 'Lost.' })
    expect(outcomeOfError({ name: 'payout', failureOf: () => read }, lost)).toEqual({
      kind: 'unknown',
      evidence: 'Lost.',
    })
  })
})
