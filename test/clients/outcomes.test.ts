import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PaymentsClient, PaymentsError } from '../../clients/typescript/src/index.ts'
import {
  type Behaviour,
  halfAnAnswer,
  hang,
  json,
  type LoopbackProvider,
  plain,
  refusal,
  reset,
  startLoopbackProvider,
} from '../payments-api/loopback-provider.ts'
import { hasPython, runPython } from './run-python.ts'

const settled = { id: 'p1', status: 'settled', transactionId: 't1', receiverId: 'u1', amount: '21000', comment: '' }
const paid = json(200, { success: true, message: 'Paid.', data: { ...settled, settledAt: '2030-01-01T00:00:00.000Z' } })
const gift = { amount: '21000', gamertag: 'bob', description: 'thanks' }

let provider: LoopbackProvider
beforeEach(async () => {
  provider = await startLoopbackProvider()
})
afterEach(() => provider.close())

interface Outcome {
  readonly kind: string
  readonly happened?: string
  readonly status?: number
  readonly code?: string
}

/** A payment: its key, whether the provider replays keys, and how long an answer may take. */
interface Attempt {
  readonly key?: string
  readonly replaysKeys?: boolean
  readonly timeoutMs?: number
}

/** Makes payments with a client, one after the other; resolves to the client's outcomes. */
type Pay = (baseUrl: string, ...attempts: readonly Attempt[]) => Promise<Outcome[]>

const USUAL_TIMEOUT_MS = 30_000

const inTypeScript: Pay = async (baseUrl, ...attempts) => {
  const outcomes: Outcome[] = []
  for (const { key, replaysKeys = true, timeoutMs = USUAL_TIMEOUT_MS } of attempts) {
    const client = new PaymentsClient({ baseUrl, apiKey: 'k', timeoutMs, replaysKeys, pause: async () => undefined })
    try {
      const { data } = await client.payToGamertag(gift, { idempotencyKey: key })
      outcomes.push({ kind: data.status })
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error
      const { kind, happened, status, code } = error
      outcomes.push({ kind, happened, ...(status !== undefined && { status }), ...(code !== undefined && { code }) })
    }
  }
  return outcomes
}

const PROGRAM = `
import json, sys
from satchel import PaymentsClient, PaymentsError
outcomes = []
for attempt in json.loads(sys.argv[2]):
    client = PaymentsClient(
        sys.argv[1],
        "k",
        timeout=attempt["timeoutMs"] / 1000,
        replays_keys=attempt["replaysKeys"],
        sleep=lambda seconds: None,
    )
    try:
        answer = client.pay_to_gamertag(
            amount=21_000, gamertag="bob", description="thanks", idempotency_key=attempt.get("key")
        )
        outcomes.append({"kind": answer.data["status"]})
    except PaymentsError as error:
        told = {"kind": error.kind, "happened": error.happened, "status": error.status, "code": error.code}
        outcomes.append({name: value for name, value in told.items() if value is not None})
print(json.dumps(outcomes))
`

const inPython: Pay = async (baseUrl, ...attempts) => {
  const whole = attempts.map((each) => ({ timeoutMs: USUAL_TIMEOUT_MS, replaysKeys: true, ...each }))
  return JSON.parse(await runPython(['-c', PROGRAM, baseUrl, JSON.stringify(whole)])) as Outcome[]
}

const cases: readonly (readonly [string, Behaviour, Outcome])[] = [
  ['a success', paid, { kind: 'settled' }],
  [
    'a refusal',
    refusal(400, 'insufficient_funds'),
    { kind: 'refused', happened: 'no', status: 400, code: 'insufficient_funds' },
  ],
  [
    'a refusal of another payment',
    refusal(400, 'x', 'It is already paid.'),
    { kind: 'unknown', happened: 'maybe', status: 400, code: 'x' },
  ],
  [
    'a conflict that proves nothing',
    refusal(409, 'still_running'),
    { kind: 'unknown', happened: 'maybe', status: 409, code: 'still_running' },
  ],
  [
    'an outage that proves it',
    refusal(503, 'nothing_sent'),
    { kind: 'refused', happened: 'no', status: 503, code: 'nothing_sent' },
  ],
  ['a page of a proxy', plain(404, '<html>'), { kind: 'unknown', happened: 'maybe', status: 404 }],
  ['a trouble inside', refusal(500, undefined), { kind: 'unknown', happened: 'maybe', status: 500 }],
  [
    'a success without its amount',
    json(200, { success: true, data: { ...settled, amount: undefined } }),
    { kind: 'malformed', happened: 'maybe', status: 200 },
  ],
  [
    'a success with a number for its amount',
    json(200, { success: true, data: { ...settled, amount: 21_000 } }),
    { kind: 'malformed', happened: 'maybe', status: 200 },
  ],
  ['a success that is no JSON', plain(200, 'ok'), { kind: 'unknown', happened: 'maybe', status: 200 }],
  ['no answer in time', hang, { kind: 'unknown', happened: 'maybe' }],
  ['a reset', reset, { kind: 'unknown', happened: 'maybe' }],
  ['half an answer', halfAnAnswer, { kind: 'unknown', happened: 'maybe' }],
]

function judges(pay: Pay): void {
  it('counts as paid, refused or unknown, depending on the provider’s answer', async () => {
    provider.answer(...cases.map(([, behaviour]) => behaviour))
    const attempts = cases.map(([, behaviour]) => (behaviour === hang ? { timeoutMs: 200 } : {}))
    const outcomes = await pay(provider.baseUrl, ...attempts)
    expect(outcomes.map((outcome, at) => [cases[at]?.[0], outcome])).toEqual(
      cases.map(([name, , told]) => [name, told]),
    )
    // Nothing is sent twice without a key.
    expect(provider.seen).toHaveLength(cases.length)
    expect(provider.seen[0]).toMatchObject({ headers: { apikey: 'k' }, url: '/v0/gamertag/send-payment' })
    expect(JSON.parse(provider.seen[0]?.body ?? '')).toEqual(gift)
  })

  it('counts as not made if the provider cannot be reached', async () => {
    const { baseUrl } = provider
    await provider.close()
    expect(await pay(baseUrl, {})).toEqual([{ kind: 'unreachable', happened: 'no' }])
    provider = await startLoopbackProvider()
  })

  it('is retried with its Idempotency-Key only if the provider replays answers', async () => {
    const trouble = refusal(500, undefined)
    provider.answer(trouble, paid, trouble, paid)
    const outcomes = await pay(provider.baseUrl, { key: 'gift-1' }, { key: 'gift-2', replaysKeys: false })
    expect(outcomes).toMatchObject([{ kind: 'settled' }, { kind: 'unknown' }])
    const keys = provider.seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual(['gift-1', 'gift-1', 'gift-2'])
  })

  it('stays unknown if a refusal follows an attempt with an unknown outcome', async () => {
    provider.answer(refusal(500, undefined), refusal(400, 'insufficient_funds'))
    expect(await pay(provider.baseUrl, { key: 'gift-1' })).toMatchObject([{ kind: 'unknown', status: 500 }])
  })
}

describe('a payment by the TypeScript client', () => judges(inTypeScript))
// Without Python 3.9 or later, nothing could run it.
describe.skipIf(!hasPython)('a payment by the Python client', () => judges(inPython))
