import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { newCallbackSecret, signCallback } from '../../src/payments-api/payments-api.ts'
import { callbackPath, createWebServer, type WebServer } from '../../src/web/web-server.ts'
import { TippingWorld } from '../../test/tipping/world.ts'
import { cases, hostileBody, hostileText, seeded } from './hostile.ts'

let world: TippingWorld
let open: WebServer
let signing: WebServer
let token: string
const secret = newCallbackSecret(systemEntropy)

beforeAll(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
  const deposit = await world.tipping.deposits.open({ member: 'alice', amount: '500', origin: world.origin() })
  token = world.token(world.provider.chargeOf(deposit.request).callbackUrl)
  const parts = { tipping: world.tipping, port: 0, clock: world.clock, logger: silentLogger }
  open = await createWebServer(parts)
  signing = await createWebServer({ ...parts, signingSecrets: [secret] })
})

afterAll(async () => {
  await Promise.all([open.close(), signing.close()])
  await world.close()
})

const FIELDS = ['id', 'data', 'status', 'amount', 'slots', 'internalId', 'unit', 'success', 'message', 'invoiceId']

async function send(server: WebServer, path: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(server.address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body.toWellFormed(),
  })
  await response.arrayBuffer()
  return response.status
}

describe('the callback endpoint under hostile requests', () => {
  it('credits nothing if hostile bodies are sent to a deposit’s callback address', { timeout: 300_000 }, async () => {
    const before = await world.available('alice')
    const property = fc.asyncProperty(hostileBody(FIELDS), async (body) => {
      expect(await send(open, callbackPath(token), body)).toBeLessThan(500)
    })
    await fc.assert(property, { numRuns: cases(0.5), ...seeded })
    await world.settle()
    expect(await world.available('alice')).toBe(before)
  })

  it('refuses bodies sent to a callback address that was never issued', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(hostileText, hostileBody(FIELDS), async (address, body) => {
      const status = await send(open, callbackPath(encodeURIComponent(address.toWellFormed())), body)
      expect([400, 404, 413, 414, 431]).toContain(status)
    })
    await fc.assert(property, { numRuns: cases(4), ...seeded })
  })

  it('refuses callbacks whose signature is missing, random or made with another secret', {
    timeout: 300_000,
  }, async () => {
    const other = newCallbackSecret(systemEntropy)
    const signature = fc.oneof(
      fc.constant({}),
      hostileText.map((text) => {
        const value = text.replace(/[^\x20-\x7e]/g, '').slice(0, 2_000)
        return { 'webhook-id': value, 'webhook-timestamp': value, 'webhook-signature': value }
      }),
      fc.constant(undefined),
    )
    const property = fc.asyncProperty(hostileBody(FIELDS), signature, async (text, forged) => {
      const body = text.toWellFormed()
      const headers = forged ?? signCallback({ id: 'forged', body, secrets: [other], clock: world.clock })
      expect([400, 401, 413, 431]).toContain(await send(signing, callbackPath(token), body, { ...headers }))
    })
    await fc.assert(property, { numRuns: cases(4), ...seeded })
  })
})
