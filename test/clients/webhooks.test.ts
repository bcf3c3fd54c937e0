import { describe, expect, it } from 'vitest'
import { verifyWebhook } from '../../clients/typescript/src/index.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { newCallbackSecret, signCallback } from '../../src/payments-api/payments-api.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { hasPython, runPython } from './run-python.ts'

const clock = new ManualClock()
const [secret, older] = [newCallbackSecret(systemEntropy), newCallbackSecret(systemEntropy)]
const body = '{"id":"c1","description":"Käse ⚡"}'
const sign = (secrets: readonly string[]) => ({ ...signCallback({ id: 'msg_1', body, secrets, clock }) })
const genuine = sign([secret])
const now = clock.now()
const MINUTE_MS = 60_000

interface Case {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly secret: string | readonly string[]
  readonly now: number
}
const good: Case = { headers: genuine, body, secret, now }

const believed: readonly (readonly [string, Case])[] = [
  ['with a signature by the service', good],
  ['with a valid and an invalid signature', { ...good, headers: sign([older, secret]) }],
  ['with a signature by one of two known secrets', { ...good, secret: [older, secret] }],
  ['that is almost five minutes old', { ...good, now: now + 5 * MINUTE_MS - 1_000 }],
]
const refused: readonly (readonly [string, Case])[] = [
  ['without headers', { ...good, headers: {} }],
  ['with a signature by another secret', { ...good, secret: older }],
  ['with another body', { ...good, body: body.replace('c1', 'c2') }],
  ['with another id', { ...good, headers: { ...genuine, 'webhook-id': 'msg_2' } }],
  ['with another time', { ...good, headers: { ...genuine, 'webhook-timestamp': String(Math.floor(now / 1_000) + 1) } }],
  ['with a time that is not a number', { ...good, headers: { ...genuine, 'webhook-timestamp': '1e3' } }],
  ['that is replayed after more than five minutes', { ...good, now: now + 6 * MINUTE_MS }],
  ['from the future', { ...good, now: now - 6 * MINUTE_MS }],
]

describe('a webhook checked by the TypeScript client', () => {
  it.each(believed)('%s is accepted', (_, each) => {
    expect(verifyWebhook(each)).toEqual({ id: 'msg_1', body: JSON.parse(body) })
    expect(verifyWebhook({ ...each, headers: new Headers(each.headers) })).toBeDefined()
  })

  it.each(refused)('%s is refused', (_, each) => {
    expect(verifyWebhook(each)).toBeUndefined()
  })
})

const PROGRAM = `
import json, sys
from satchel import verify_webhook
for case in json.loads(sys.argv[1]):
    headers = {name.title(): value for name, value in case["headers"].items()}
    found = verify_webhook(headers, case["body"].encode(), case["secret"], now=case["now"] / 1000)
    print(json.dumps(None if found is None else found.id))
`

// Without Python 3.9 or later, nothing could run it.
it.skipIf(!hasPython)('the Python client accepts and refuses webhooks as the TypeScript client does', async () => {
  const cases = [...believed, ...refused].map(([, each]) => each)
  const answers = (await runPython(['-c', PROGRAM, JSON.stringify(cases)])).trim().split('\n')
  expect(answers).toEqual([...believed.map(() => '"msg_1"'), ...refused.map(() => 'null')])
})
