import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { createPaymentsClient, type PaymentsClient } from '../../src/payments-api/payments-api.ts'
import type { TippingDatabase } from '../../src/tipping/core/database.ts'
import { createTipping } from '../../src/tipping/create-tipping.ts'
import type { Origin, Tipping } from '../../src/tipping/tipping.ts'
import { callbackPath, createWebServer, type WebServer } from '../../src/web/web-server.ts'
import { ServiceWorld } from '../payments-service/harness.ts'
import { expectProvenTipping } from '../support/proven-books.ts'
import { warmTippingDatabase } from '../support/warm-databases.ts'

let service: ServiceWorld
let payments: PaymentsClient
let database: TippingDatabase
let tipping: Tipping
let callbacks: WebServer
let interactions = 0

/** Starts the service with a signing secret, tipping, and the web server between them, all over HTTP. */
beforeEach(async () => {
  service = await ServiceWorld.open()
  const { apiKey, callbackSecret } = await service.project(sats(50_000))
  const { clock } = service
  payments = createPaymentsClient({ baseUrl: service.url, apiKey, clock, replaysKeys: () => true })
  database = await warmTippingDatabase(`${service.folder}/tipping.sqlite`)
  let address = ''
  tipping = await createTipping({
    database,
    alone: true,
    payments,
    replaysKeys: () => true,
    stillReplays: async () => true,
    clock,
    entropy: systemEntropy,
    logger: silentLogger,
    settings: { callbackUrl: (token) => address + callbackPath(token), payoutTimeoutMs: 60_000, closeTimeoutMs: 0 },
  })
  callbacks = await createWebServer({
    tipping,
    port: 0,
    signingSecrets: [callbackSecret],
    clock,
    logger: silentLogger,
  })
  address = callbacks.address
  await tipping.settled()
})

afterEach(async () => {
  const audit = await tipping.audit()
  await tipping.close()
  await callbacks.close()
  await payments.close()
  await expectProvenTipping(database)
  await database.close()
  await service.close()
  expect(audit).toMatchObject({ holds: true, faults: [] })
  expect(audit.wallet).toBe(audit.expected)
})

function origin(): Origin {
  interactions += 1
  return { interaction: `interaction-${interactions}`, guild: 'guild', channel: 'channel', reply: '', locale: 'en' }
}

async function deposit(member: string, amount: string): Promise<void> {
  const open = await tipping.deposits.open({ member, amount, origin: origin() })
  await service.sandbox.outside.pay(open.request)
  await service.until(async () => (await tipping.deposits.view(open.id)).state === 'paid')
}

describe('a payment from outside to the real service', () => {
  it('is reported by a callback and credited as a deposit, and can then be tipped', async () => {
    await deposit('alice', '10,000')
    const bob = await service.user('bob')
    const { code } = await service.administration.linkCode(bob)
    await tipping.links.link({ member: 'bob', gamertag: 'bob', code, origin: origin() })
    const tip = await tipping.tips.send({
      from: 'alice',
      to: [{ id: 'bob', bot: false }],
      amount: '500',
      origin: origin(),
    })
    const [share] = tip.shares
    expect(share).toMatchObject({ state: 'paid', payout: expect.any(String) })
    const operation = share?.state === 'paid' ? (share.payout ?? '') : ''
    expect((await tipping.history.receipt({ member: 'bob', operation })).remoteId).toEqual(expect.any(String))
    expect(await service.balance({ kind: 'user', id: bob })).toBe(500_000n)
    expect((await tipping.balances.view('alice')).available).toBe(9_500_000n)
    expect(await tipping.audit()).toMatchObject({ owed: 9_500_000n, operator: 50_000_000n })
  })

  it('is reported by a callback, read and announced if it pays a request for sats', async () => {
    const bob = await service.user('bob')
    const { code } = await service.administration.linkCode(bob)
    await tipping.links.link({ member: 'bob', gamertag: 'bob', code, origin: origin() })
    const invoice = await tipping.invoices.create({
      member: 'bob',
      amount: '1000',
      description: 'pizza',
      origin: origin(),
    })
    await service.sandbox.outside.pay(invoice.request)
    await service.until(async () => (await tipping.invoices.view(invoice.id)).state === 'paid')
    expect(await service.balance({ kind: 'user', id: bob })).toBe(1_000_000n)
    expect((await tipping.cards.pending(10)).map((card) => card.kind)).toContain('invoice-paid')
  })
})
