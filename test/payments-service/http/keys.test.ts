import { createHash } from 'node:crypto'
import { expect, it, onTestFinished, vi } from 'vitest'
import { hashSecret } from '../../../src/payments-service/core/secrets.ts'
import { createAuthentication } from '../../../src/payments-service/engine/http/authentication.ts'
import { expectRefusal, ServiceWorld } from '../harness.ts'

let world: ServiceWorld
const wallet = (apiKey: string) => world.raw('GET', '/v0/wallet', { apiKey })

it('an API key is hashed with SHA-256, and answers are JSON in UTF-8', async () => {
  world = await ServiceWorld.open()
  const { apiKey } = await world.project()
  expect(hashSecret(apiKey)).toBe(createHash('sha256').update(apiKey).digest('hex'))
  expect((await wallet(apiKey)).headers.get('content-type')).toBe('application/json; charset=utf-8')
})

it('a revoked key is refused within a second', async () => {
  world = await ServiceWorld.open()
  const { projectId } = await world.project()
  const { keyId, apiKey } = await world.administration.createKey(projectId, { scopes: ['read'] })
  expect((await wallet(apiKey)).status).toBe(200)
  await world.administration.revokeKey(keyId)
  await world.clock.advance(1_000)
  expectRefusal(await wallet(apiKey), 401, 'unknown_api_key')
  await expect(world.administration.revokeKey(keyId)).rejects.toThrow('no key')
})

it('a key is refused once it has expired', async () => {
  world = await ServiceWorld.open()
  const { projectId } = await world.project()
  const expiresAt = new Date(world.clock.now() + 60_000)
  const { apiKey } = await world.administration.createKey(projectId, { scopes: ['read'], expiresAt })
  expect((await wallet(apiKey)).status).toBe(200)
  await world.clock.advance(60_000)
  expectRefusal(await wallet(apiKey), 401, 'unknown_api_key')
  const past = { scopes: ['read' as const], expiresAt }
  await expect(world.administration.createKey(projectId, past)).rejects.toThrow('is in the past. Give a later time.')
})

it('only hashes of keys are stored', async () => {
  world = await ServiceWorld.open()
  const { apiKey } = await world.project()
  const keys = await world.service.parts.database.read.apiKey.findMany()
  expect(JSON.stringify(keys)).not.toContain(apiKey)
})

it('429: a key with too many requests is refused, and the answer says when to retry', async () => {
  world = await ServiceWorld.open({ settings: { requestsPerSecond: 2 } })
  const [project, other] = [await world.project(), await world.project()]
  const answers = await Promise.all(Array.from({ length: 21 }, () => wallet(project.apiKey)))
  const refused = answers.filter((answer) => answer.status !== 200)
  expect(refused).toHaveLength(1)
  for (const answer of refused) {
    expectRefusal(answer, 429, 'rate_limited')
    expect(answer.headers.get('retry-after')).toBe('1')
  }
  expect((await wallet(other.apiKey)).status).toBe(200)
  await world.clock.advance(1_000)
  expect((await wallet(project.apiKey)).status).toBe(200)
})

it.each([
  '/.well-known/lnurlp/nobody',
  '/.well-known/lnurlp/nobody/callback?amount=1000',
  '/v0/request-static-charges/nothing',
  '/v0/payload-withdrawal-request?secret=none',
  '/v0/payload-voucher?secret=none',
  '/v0/claim-voucher?k1=none&pr=none',
])('429: limits each IP address on keyless routes and answers in LNURL’s format (%s)', async (path) => {
  world = await ServiceWorld.open({ settings: { publicRequestsPerSecond: 1 } })
  const answers = await Promise.all(Array.from({ length: 11 }, () => world.raw('GET', path)))
  const [refused, ...others] = answers.filter(({ status }) => status === 429)
  expect(others).toEqual([])
  expect(refused?.json).toEqual({ status: 'ERROR', reason: expect.stringContaining('Too many requests') })
  expect(refused?.headers.get('retry-after')).toBe('1')
  for (const { headers } of answers) expect(headers.get('access-control-allow-origin')).toBe('*')
})

it('429: the service limits guesses from an IP address without blocking valid keys', async () => {
  world = await ServiceWorld.open({ settings: { publicRequestsPerSecond: 1 } })
  const { apiKey } = await world.project()
  const statuses: number[] = []
  for (let guess = 0; guess < 12; guess += 1) statuses.push((await wallet(`sk_guess_${guess}`)).status)
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
  expect((await wallet(apiKey)).status).toBe(200)
  await world.clock.advance(1_000)
  expectRefusal(await wallet('sk_guess_1'), 401, 'unknown_api_key')
})

it('keys guessed during a look-up share the next look-up and delay no valid key', async () => {
  world = await ServiceWorld.open()
  const { apiKey, projectId } = await world.project()
  const statements = vi.spyOn(world.service.parts.database.read.apiKey, 'findMany')
  onTestFinished(() => statements.mockRestore())
  const { authenticate } = createAuthentication(world.service.parts, { take: () => undefined })
  const guesses = Array.from({ length: 100 }, (_, n) => authenticate(`satchel_guess_${n}`, '203.0.113.7'))
  const owner = authenticate(apiKey, '203.0.113.7')
  const outcomes = await Promise.allSettled(guesses)
  expect(outcomes.map((each) => (each.status === 'rejected' ? each.reason.code : 'let in'))).toEqual(
    Array(100).fill('unknown_api_key'),
  )
  expect(await owner).toMatchObject({ projectId })
  expect(statements).toHaveBeenCalledTimes(2)
})

it('an empty key counts as a missing key', async () => {
  world = await ServiceWorld.open()
  const { authenticate } = createAuthentication(world.service.parts, { take: () => undefined })
  for (const none of [undefined, '']) {
    await expect(authenticate(none, '203.0.113.7')).rejects.toMatchObject({
      code: 'missing_api_key',
      message: 'Send your API key in the header "apikey".',
    })
  }
})

it('a valid key is cached for a second, and an unknown key is looked up each time', async () => {
  world = await ServiceWorld.open()
  const { apiKey, projectId } = await world.project()
  const statements = vi.spyOn(world.service.parts.database.read.apiKey, 'findMany')
  onTestFinished(() => statements.mockRestore())
  const guesses: string[] = []
  const { authenticate } = createAuthentication(world.service.parts, { take: (ip) => void guesses.push(ip) })
  for (let times = 0; times < 3; times += 1)
    expect(await authenticate(apiKey, '203.0.113.7')).toMatchObject({ projectId })
  expect(statements).toHaveBeenCalledTimes(1)
  await world.clock.advance(1_000)
  await authenticate(apiKey, '203.0.113.7')
  expect(statements).toHaveBeenCalledTimes(2)
  expect(guesses).toEqual([])
  for (let times = 1; times <= 3; times += 1) {
    await expect(authenticate('satchel_guess', '203.0.113.7')).rejects.toMatchObject({
      code: 'unknown_api_key',
      message: 'This API key is unknown, expired or revoked. Ask the operator for another key.',
    })
    expect([statements.mock.calls.length, guesses.length]).toEqual([2 + times, times])
  }
})
