import { describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/logger.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { callbackRows } from '../../../src/payments-service/engine/outbox/record-callback.ts'
import { CallbackReceiver } from '../callback-receiver.ts'
import { expectRefusal, ServiceWorld } from '../harness.ts'

let world: ServiceWorld
const DEAD_ENDS: ReadonlyArray<[string, string]> = [
  ['http://example.com/hook', 'https'],
  ['https://me:secret@example.com/hook', 'password'],
  ['https://example.com:22/hook', 'port 22'],
  ['https://10.0.0.7/hook', '10.0.0.7'],
  ['https://127.0.0.1:8443/hook', '127.0.0.1'],
  ['https://2130706433/hook', '127.0.0.1'],
  ['https://[::1]/hook', '[::1]'],
  ['https://localhost/hook', 'localhost'],
  ['https://169.254.169.254/latest', '169.254.169.254'],
]

describe('a callbackUrl that could never be reached', () => {
  it.each(DEAD_ENDS)('is refused by every operation that has a callbackUrl (%s)', async (callbackUrl, what) => {
    world = await ServiceWorld.open({ settings: { callbacksAllowLoopback: false } })
    await world.user('alice')
    const { apiKey, client } = await world.project()
    const { id } = (await client.createStaticCharge({ minAmount: sats(1), maxAmount: sats(1), description: 'x' })).data
    const { invoice } = world.sandbox.outside.createInvoice({ amount: sats(1) })
    const bodies: Record<string, object> = {
      createCharge: { amount: '1000', description: 'x' },
      createGamertagCharge: { amount: '1000', gamertag: 'alice' },
      createStaticCharge: { minAmount: '1000', maxAmount: '1000', description: 'x' },
      updateStaticCharge: {},
      createWithdrawalRequest: { amount: '1000' },
      sendPayment: { invoice },
      sendKeysendPayment: { amount: '1000', pubkey: `02${'ab'.repeat(32)}` },
      payLightningAddress: { lnAddress: 'bob@example.com', amount: '1000' },
    }
    const taking = Object.values(operations).filter(({ body }) => body !== undefined && 'callbackUrl' in body.shape)
    expect(taking.map(({ name }) => name)).toEqual(Object.keys(bodies))
    for (const { name, verb, path } of taking) {
      const body = { ...bodies[name], callbackUrl }
      const answer = await world.raw(verb, path.replace('{id}', id), { apiKey, body })
      expectRefusal(answer, 400, 'invalid_field')
      expect(answer.json.message).toContain('callbackUrl')
      expect(answer.json.message).toContain(what)
      expect(answer.text).not.toContain('secret')
    }
    expect((await client.getWallet()).data.balance).toBe(sats(100_000))
  })

  it('is refused if it is plain http to another machine, even if loopback is allowed', async () => {
    world = await ServiceWorld.open()
    const { apiKey } = await world.project()
    const create = (callbackUrl: string) =>
      world.raw('POST', '/v0/withdrawal-requests', { apiKey, body: { amount: '1000', callbackUrl } })
    for (const url of ['http://10.0.0.7/hook', 'http://203.0.113.9/hook', 'http://1.1.1.1/hook']) {
      expectRefusal(await create(url), 400, 'invalid_field')
    }
    for (const url of ['http://127.0.0.1:8788/hook', 'http://localhost:8788/', 'https://1.1.1.1/', '']) {
      expect((await create(url)).status).toBe(200)
    }
  })
})

describe('a callback whose address is found to be forbidden', () => {
  it('is shown to operators with the reason and can be redelivered later', async () => {
    const lines: string[] = []
    const logger = createLogger({ level: 'warn', name: 'x', destination: { write: (line) => void lines.push(line) } })
    world = await ServiceWorld.open({ settings: { callbacksAllowLoopback: false }, logger })
    const receiver = await CallbackReceiver.open()
    const { projectId } = await world.project()
    const urls = [receiver.url('/secret'), receiver.url('/secret').replace('http:', 'https:')]
    const rows = urls.flatMap((url, i) =>
      callbackRows(world.service.parts, { projectId, resource: `thing:${i}`, url, kind: 'charge', body: {} as never }),
    )
    await world.service.parts.ledger.commit({ rows })
    const shown = () => world.administration.listCallbacks()
    await world.until(async () => (await shown()).every(({ attempts }) => attempts === 1))
    expect(await shown()).toMatchObject([
      { state: 'dead-lettered', lastError: expect.stringContaining('only https') },
      { state: 'waiting', lastError: expect.stringContaining('not on the public Internet') },
    ])
    // A busy machine may have other things to say.
    const said = () => lines.map((line) => JSON.parse(line)).filter(({ resource }) => resource !== undefined)
    await world.until(() => said().length >= 2)
    expect(said()).toMatchObject([
      { level: 'warn', resource: 'thing:0', reason: expect.stringContaining('only https') },
      { level: 'warn', resource: 'thing:1', reason: expect.stringContaining('not on the public Internet') },
    ])
    expect(lines.join()).not.toContain('/secret')

    await world.restart({ callbacksAllowLoopback: true })
    expect(await world.administration.redeliverCallbacks()).toEqual({ redelivered: 1 })
    await world.until(() => receiver.received.length === 1)
    await receiver.close()
  })
})
