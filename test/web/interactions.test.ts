import { generateKeyPairSync, sign } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLogger } from '../../src/lib/logger.ts'
import { createWebServer, type WebServer } from '../../src/web/web-server.ts'
import { ManualClock } from '../support/manual-clock.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const hex = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex')
const DEFERRED = { type: 5, data: { flags: 64 } }
let clock: ManualClock
let server: WebServer
let heard: unknown[]
let delivered: Promise<string>[]
let answer: () => Promise<object | undefined>

beforeEach(async () => {
  clock = new ManualClock()
  heard = []
  delivered = []
  answer = async () => DEFERRED
  server = await createWebServer({
    tipping: { hint: async () => 'unknown' },
    interactions: {
      publicKey: hex,
      hear(interaction, sent) {
        heard.push(interaction)
        delivered.push(
          sent.then(
            () => 'sent',
            () => 'lost',
          ),
        )
        return answer()
      },
    },
    port: 0,
    clock,
    logger: silentLogger,
  })
})

afterEach(() => server.close())

/** Returns the headers with Discord's signature of the time and the body as sent. */
function signed(body: string, at = clock.now()): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000))
  const signature = sign(null, Buffer.from(timestamp + body), privateKey).toString('hex')
  return { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp }
}

async function post(body: string, headers: Record<string, string> = signed(body)) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
  const response = await fetch(`${server.address}/interactions`, init)
  return { status: response.status, body: await response.json() }
}

const interaction = (id: string) => JSON.stringify({ id, type: 2, token: 't', data: { name: 'tip' } })

it('a PING from Discord is answered without involving the bot', async () => {
  expect(await post('{"type":1,"id":"1"}')).toEqual({ status: 200, body: { type: 1 } })
  expect(heard).toEqual([])
})

it('an interaction reaches the bot, which learns that its acknowledgement was sent', async () => {
  expect(await post(interaction('7'))).toEqual({ status: 200, body: DEFERRED })
  expect(heard).toEqual([JSON.parse(interaction('7'))])
  expect(await delivered[0]).toBe('sent')
})

it('a lost acknowledgement is reported if Discord did not wait for it', async () => {
  const held = Promise.withResolvers<object>()
  answer = () => held.promise
  const impatient = new AbortController()
  const body = interaction('7')
  const asked = fetch(`${server.address}/interactions`, {
    method: 'POST',
    headers: signed(body),
    body,
    signal: impatient.signal,
  }).catch(() => 'gone')
  await expect.poll(() => heard.length).toBe(1)
  impatient.abort()
  expect(await asked).toBe('gone')
  expect(await delivered[0]).toBe('lost')
  held.resolve(DEFERRED)
})

it('a request without Discord’s signature is refused with 401', async () => {
  const body = interaction('7')
  const good = signed(body)
  const wrong = [
    {},
    { 'x-signature-timestamp': good['x-signature-timestamp'] ?? '' },
    { ...good, 'x-signature-ed25519': '00'.repeat(64) },
    { ...good, 'x-signature-ed25519': 'nonsense' },
    { ...good, 'x-signature-timestamp': String(Math.floor(clock.now() / 1_000) + 1) },
    { ...good, 'x-signature-timestamp': '1e9' },
    signed(interaction('8')),
  ]
  for (const headers of wrong)
    expect(await post(body, headers as Record<string, string>)).toMatchObject({ status: 401 })
  expect(await post(body.replace('tip', 'rip'), good)).toMatchObject({ status: 401 })
  expect(heard).toEqual([])
})

it('a signature more than 5 minutes in the past or the future is refused', async () => {
  const body = interaction('7')
  for (const minutes of [-6, 6]) {
    const answer = await post(body, signed(body, clock.now() + minutes * 60_000))
    expect(answer).toMatchObject({ status: 401, body: { code: 'stale' } })
  }
  expect((await post(body, signed(body, clock.now() - 4 * 60_000))).status).toBe(200)
})

it('a request that is sent again is refused', async () => {
  const body = interaction('7')
  const headers = signed(body)
  expect((await post(body, headers)).status).toBe(200)
  await clock.advance(250_000)
  expect(await post(body, headers)).toMatchObject({ status: 409, body: { code: 'repeated' } })
  expect(heard).toHaveLength(1)
  await clock.advance(100_000)
  expect(await post(body, headers)).toMatchObject({ status: 401, body: { code: 'stale' } })
})

it('an unusable body is refused, and an interaction without an answer gets 503', async () => {
  expect(await post(`{"type":2,"id":"${'7'.repeat(600_000)}"}`)).toMatchObject({ status: 413 })
  for (const body of ['', '[', '7', 'null']) expect((await post(body)).status).toBe(400)
  answer = async () => undefined
  expect(await post(interaction('7'))).toMatchObject({ status: 503, body: { code: 'not_answered' } })
})
