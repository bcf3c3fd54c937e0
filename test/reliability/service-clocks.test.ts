import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { confirmClock } from '../../src/assembly/confirm-clock.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { callbackRows } from '../../src/payments-service/engine/outbox/record-callback.ts'
import { CallbackReceiver } from '../payments-service/callback-receiver.ts'
import { expectRefusal, ServiceWorld } from '../payments-service/harness.ts'
import { signedIn } from '../payments-service/wallet-page/browser.ts'
import { TippingWorld } from '../tipping/world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365 * DAY_MS

describe('the service after its wall clock was set', () => {
  let service: ServiceWorld
  let receiver: CallbackReceiver

  beforeEach(async () => {
    service = await ServiceWorld.open()
    receiver = await CallbackReceiver.open()
  })

  afterEach(async () => {
    await service.close()
    await receiver.close()
  })

  it('credits the payment of an invoice that looked expired while the clock was ahead', async () => {
    const { apiKey } = await service.project()
    const alice = await service.user('alice')
    const body = { amount: '100000', gamertag: 'alice', expiresIn: 600 }
    const { json } = await service.raw('POST', '/v0/gamertag/charges', { apiKey, body })
    service.clock.jump(3_600_000)
    await service.clock.advance(60_000)
    const { database } = service.service.parts
    const invoice = await database.read.invoice.findFirstOrThrow({ where: { resourceId: json.data.id } })
    expect(invoice.status).toBe('open')
    service.clock.jump(-3_600_000)
    await service.sandbox.outside.pay(json.data.invoiceRequest)
    await service.until(async () => (await service.balance({ kind: 'user', id: alice })) === 100_000n)
  })

  it('delivers callbacks that are dated a year ahead because the clock was wrong', async () => {
    const { projectId } = await service.project()
    let failures = 1
    receiver.answer = () => (failures-- > 0 ? 500 : 200)
    service.clock.jump(YEAR_MS)
    const about = { projectId, resource: 'thing:1', url: receiver.url(), kind: 'charge' } as const
    const rows = callbackRows(service.service.parts, { ...about, body: { number: 1 } as never })
    await service.service.parts.ledger.commit({ rows })
    await service.until(async () => (await service.administration.listCallbacks())[0]?.attempts === 1)
    service.clock.jump(-YEAR_MS)
    await service.clock.advance(30_000)
    await service.until(async () => (await service.administration.listCallbacks()).length === 0)
    expect(receiver.received).toHaveLength(2)
  })
})

describe('the service after a start with a wrong clock', () => {
  let service: ServiceWorld
  let alerts: string[]

  beforeEach(async () => {
    alerts = []
    const destination = { write: (line: string) => void alerts.push(line) }
    service = await ServiceWorld.open({ logger: createLogger({ level: 'error', name: 'test', destination }) })
  })

  afterEach(() => service.close())

  /** Stops the service, moves the clock by this much, and starts the service again. */
  async function startAfter(jumpMs: number): Promise<void> {
    await service.stop()
    service.clock.jump(jumpMs)
    await service.start()
  }

  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += HOUR_MS) await service.clock.advance(Math.min(HOUR_MS, ms - passed))
  }

  const statusOfRequest = async (id: string) =>
    (await service.service.parts.database.read.withdrawalRequest.findUniqueOrThrow({ where: { id } })).status

  async function request(): Promise<{ id: string; balance: () => Promise<bigint> }> {
    const { client, projectId } = await service.project()
    const { data } = await client.createWithdrawalRequest({ amount: sats(1_000), maxFee: sats(10), expiresIn: 3_600 })
    return { id: data.id, balance: () => service.balance({ kind: 'project', id: projectId }) }
  }

  it('keeps withdrawal requests and warns operators if the clock is 40 days ahead', async () => {
    const { id, balance } = await request()
    await startAfter(40 * DAY_MS)
    await service.clock.advance(HOUR_MS)
    expect(await statusOfRequest(id)).toBe('pending')
    expect(await balance()).toBe(sats(98_990))
    expect(alerts.map((line) => JSON.parse(line))).toMatchObject([
      { alert: 'clock', msg: expect.stringMatching(/2030-02-10T.*2030-01-01T.*set it.*npm run confirm-clock/) },
    ])
  })

  it('trusts a clock that is 40 days ahead as soon as an operator confirms it', async () => {
    const bot = await TippingWorld.open()
    onTestFinished(() => bot.close())
    const { id } = await request()
    await startAfter(40 * DAY_MS)
    const books = await confirmClock(
      {
        provider: undefined,
        service: {
          databaseUrl: service.service.parts.database.url,
          lightning: { kind: 'sandbox' },
        } as never,
        dataFolder: service.folder,
        tippingDatabaseUrl: bot.database.url,
      },
      service.clock,
    )
    expect(books.map(({ side }) => side)).toEqual(['bot', 'service'])
    await service.clock.advance(2 * 60_000)
    await service.until(async () => (await statusOfRequest(id)) === 'expired')
  })

  it('deletes no Idempotency-Key if its clock is 40 days ahead', async () => {
    const { apiKey } = await service.project()
    await service.user('bob')
    const pay = (gamertag: string) =>
      service.raw('POST', '/v0/gamertag/send-payment', {
        apiKey,
        body: { gamertag, amount: '1000', description: '' },
        headers: { 'idempotency-key': gamertag },
      })
    expectRefusal(await pay('nobody'), 404, 'gamertag_not_found')
    expect((await pay('bob')).status).toBe(200)
    await startAfter(40 * DAY_MS)
    await pass(2 * HOUR_MS)
    await service.user('nobody')
    for (const gamertag of ['nobody', 'bob']) {
      expect((await pay(gamertag)).headers.get('idempotency-replayed')).toBe('true')
    }
  })

  async function charge() {
    const { apiKey } = await service.project()
    const body = { amount: '100000', gamertag: 'alice', expiresIn: 3_600 }
    const { json } = await service.raw('POST', '/v0/gamertag/charges', { apiKey, body })
    const path = `/v0/gamertag/charges/${json.data.id}`
    const status = async (): Promise<string> => (await service.raw('GET', path, { apiKey })).json.data.status
    return { request: json.data.invoiceRequest as string, status }
  }

  it('keeps an invoice payable even if the clock was 2 days ahead for a while', async () => {
    const alice = await service.user('alice')
    const { request } = await charge()
    await startAfter(2 * DAY_MS)
    await service.clock.advance(HOUR_MS / 2)
    await startAfter(-2 * DAY_MS)
    await service.sandbox.outside.pay(request)
    await service.until(async () => (await service.balance({ kind: 'user', id: alice })) === 100_000n)
  })

  it('ends no charge if its clock and the node’s are both 2 days ahead', async () => {
    await service.user('alice')
    const { status } = await charge()
    await startAfter(2 * DAY_MS)
    await pass(2 * HOUR_MS)
    expect(await status()).toBe('CHARGE_PENDING')
  })

  it('keeps the old name of a renamed user reserved if its clock is 40 days ahead', async () => {
    const alice = await service.user('alice')
    await service.administration.renameUser(alice, 'alicia')
    await startAfter(40 * DAY_MS)
    await pass(2 * HOUR_MS)
    await expect(service.user('alice')).rejects.toThrow('reserved')
  })

  it('revives no session, sign-in link or API key if its clock is set back', async () => {
    const { projectId } = await service.project()
    const expiresAt = new Date(service.clock.now() + 20 * DAY_MS)
    const { apiKey } = await service.administration.createKey(projectId, { scopes: ['read'], expiresAt })
    const { browser } = await signedIn(service, 'alice')
    const { token } = await service.administration.createUser('bob')
    await service.leap(31 * DAY_MS)
    await startAfter(-31 * DAY_MS)
    expect((await browser.open('/wallet')).status).toBe(401)
    expect((await browser.open(`/wallet/sign-in?token=${token}`)).status).toBe(400)
    expectRefusal(await service.raw('GET', '/v0/wallet', { apiKey }), 401, 'unknown_api_key')
  })

  it('rejects sessions and links that were made while its clock was a year ahead', async () => {
    await startAfter(365 * DAY_MS)
    const { browser } = await signedIn(service, 'alice')
    const { token } = await service.administration.createUser('bob')
    expect((await browser.open('/wallet')).status).toBe(200)
    await startAfter(-365 * DAY_MS)
    expect((await browser.open('/wallet')).status).toBe(401)
    expect((await browser.open(`/wallet/sign-in?token=${token}`)).status).toBe(400)
  })
})
