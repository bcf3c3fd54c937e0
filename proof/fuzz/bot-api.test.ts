import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WebServer } from '../../src/web/web-server.ts'
import { TippingWorld } from '../../test/tipping/world.ts'
import { mustBeAsDescribed } from '../../test/web/as-described.ts'
import { DORA, guild, makeKey, openKeyedServer } from '../../test/web/keyed-server.ts'
import { cases, hostileBody, hostileText, seeded } from './hostile.ts'

let world: TippingWorld
let server: WebServer
let key: string
let pool: bigint

beforeAll(async () => {
  world = await TippingWorld.open({ besideOthers: false })
  server = await openKeyedServer(world)
  key = await makeKey(world, ['rewards', 'members', 'events'])
  pool = (await world.tipping.pools.view(guild)).available
})
afterAll(async () => {
  await server.close()
  await world.close()
})

const printable = (text: string) => text.replace(/[^\x21-\x7e]/g, '').slice(0, 2_000)
const encode = (text: string) => encodeURIComponent(text.toWellFormed())

/**
 * Sends a request with a valid key, and compares the answer with the document. A second passes before each request, so
 * that the requests never meet the key's own limit.
 */
async function ask(method: string, path: string, init: { body?: string; headers?: Record<string, string> } = {}) {
  await world.clock.advance(1_000)
  const headers = { authorization: `Bearer ${key}`, ...init.headers }
  const body = init.body === undefined ? {} : { body: init.body.toWellFormed() }
  const url = `${server.address}/api/v1/${path}`
  const stop = new AbortController()
  const response = await fetch(url, { method, headers, ...body, signal: stop.signal })
  const { status } = response
  const type = response.headers.get('content-type') ?? ''
  // A stream ends only when its reader ends it. An answer without a body has only its status.
  if (method === 'HEAD' || !type.startsWith('application/json')) stop.abort()
  else mustBeAsDescribed(method, url, { status, headers: response.headers, body: await response.json() })
  expect(status < 500 || status === 503, `${method} ${path} → ${status}`).toBe(true)
  return status
}

describe('the bot’s API under hostile requests', () => {
  it('refuses reward requests with hostile bodies and pays no reward', { timeout: 300_000 }, async () => {
    const body = hostileBody(['member', 'amountMsats', 'reason'])
    const property = fc.asyncProperty(body, hostileText.map(printable), async (text, id) => {
      expect(await ask('POST', 'rewards', { body: text, headers: { 'idempotency-key': id } })).toBeGreaterThan(399)
    })
    await fc.assert(property, { numRuns: cases(1), ...seeded })
    expect((await world.tipping.pools.view(guild)).available).toBe(pool)
  })

  it('refuses reward requests with one invalid field and pays no reward', { timeout: 300_000 }, async () => {
    const good = { member: DORA, amountMsats: '21000', reason: 'won' }
    const field = fc.constantFrom('member', 'amountMsats')
    const property = fc.asyncProperty(field, hostileText.filter(isNoReward), async (name, value) => {
      const body = JSON.stringify({ ...good, [name]: value })
      expect(await ask('POST', 'rewards', { body, headers: { 'idempotency-key': 'fuzz' } })).toBeGreaterThan(399)
    })
    await fc.assert(property, { numRuns: cases(0.5), ...seeded })
    expect((await world.tipping.pools.view(guild)).available).toBe(pool)
  })

  it('answers hostile ids, cursors, periods and paths without an internal error', { timeout: 300_000 }, async () => {
    const at = fc.constantFrom(
      ...['members/', 'rewards/', 'events?', `servers/${guild}/stats?period=`, 'servers/', 'overlay?key=', ''],
    )
    const verb = fc.constantFrom('GET', 'GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS')
    const property = fc.asyncProperty(at, verb, hostileText, hostileText, async (path, method, text, id) => {
      const headers: Record<string, string> = id === '' ? {} : { 'last-event-id': printable(id) }
      await ask(method, path + encode(text), { headers })
    })
    await fc.assert(property, { numRuns: cases(1), ...seeded })
  })

  it('refuses unknown API keys', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(hostileText.map(printable), async (secret) => {
      const headers = { authorization: `Bearer ${secret}` }
      expect([401, 431]).toContain(await ask('GET', `members/${DORA}`, { headers }))
    })
    await fc.assert(property, { numRuns: cases(0.5), ...seeded })
  })
})

/**
 * Whether the text cannot be a reward: an amount between the minimum and the key's limit would be valid, and so would
 * an id, because everybody is a member.
 */
function isNoReward(text: string): boolean {
  return !/^[1-9]\d*$/.test(text) || BigInt(text) < 1_000n || (BigInt(text) > 500_000n && text.length < 15)
}
