import { describe, expect, it } from 'vitest'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { ServiceWorld } from '../harness.ts'
import { StaticChargeCalls } from '../static-charge-calls.ts'

/**
 * Tests what somebody without a key can make the service create and store. The proxy in front of the service reports
 * that person's address.
 */

let world: ServiceWorld
async function open(invoicesPerMinute: number): Promise<void> {
  world = await ServiceWorld.open({ settings: { invoicesPerMinute, trustProxy: true } })
}

/** Requests an invoice as a caller at this IP address. */
async function ask(path: string, address: string, amount = 5_000) {
  const headers = { 'x-forwarded-for': address }
  const { json, status } = await world.raw('GET', `${path}/callback?amount=${amount}`, { headers })
  return { invoice: json.pr as string | undefined, reason: json.reason as string | undefined, status }
}

async function staticCharge(values: object): Promise<string> {
  const { json } = await new StaticChargeCalls(world, await world.project(sats(0))).create(values)
  return decodeLnurl(json.data.invoice.request, { allowLoopbackHttp: true }).pathname
}

describe('invoices requested through LNURL', () => {
  it('are not made for HEAD requests from previews and scanners', async () => {
    await open(3)
    await world.user('alice')
    const { status } = await world.raw('HEAD', '/.well-known/lnurlp/alice/callback?amount=5000')
    expect([status, await world.service.parts.database.read.invoice.count()]).toEqual([405, 0])
  })

  it('are limited per minute, separately for each IP address', async () => {
    await open(3)
    await world.user('alice')
    const alice = '/.well-known/lnurlp/alice'
    const answers = []
    for (let i = 0; i < 8; i += 1) answers.push(await ask(alice, '203.0.114.7'))
    expect(answers.map(({ invoice }) => invoice !== undefined)).toEqual([...Array(6).fill(true), false, false])
    expect(answers[7]).toMatchObject({ status: 429, reason: expect.stringContaining('Too many requests') })
    expect((await ask(alice, '203.0.114.8')).invoice).toMatch(/^lnbcrt/)
    await world.clock.advance(19_000)
    expect((await ask(alice, '203.0.114.7')).status).toBe(429)
    await world.clock.advance(1_000)
    expect((await ask(alice, '203.0.114.7')).invoice).toMatch(/^lnbcrt/)
  })

  it('are limited to 1,000 for each receiver while they are open', async () => {
    await open(0)
    const userId = await world.user('alice')
    const at = new Date(world.clock.now())
    const row = { purpose: 'address', resourceId: userId, payeeKind: 'user', payeeId: userId, status: 'open' }
    const times = { createdAt: at, expiresAt: new Date(at.getTime() + 120_000) }
    const data = Array.from({ length: 1_000 }, (_, i) => ({
      ...{ ...row, ...times, amount: 5_000n },
      paymentHash: i.toString(16).padStart(64, '0'),
      request: `lnbcrt${i}`,
    }))
    const { ledger } = world.service.parts
    await ledger.commit({ write: async (tx) => void (await tx.invoice.createMany({ data })) })
    expect((await ask('/.well-known/lnurlp/alice', '203.0.114.7')).reason).toContain('at least not now')
    await world.user('bob')
    expect((await ask('/.well-known/lnurlp/bob', '203.0.114.7')).invoice).toMatch(/^lnbcrt/)
    await ledger.commit({ write: async (tx) => void (await tx.invoice.deleteMany({ where: { request: 'lnbcrt7' } })) })
    expect((await ask('/.well-known/lnurlp/alice', '203.0.114.7')).invoice).toMatch(/^lnbcrt50n/)
    await ledger.commit({ write: async (tx) => void (await tx.invoice.deleteMany({})) })
  })
})

describe('the slots of a static charge', () => {
  it('are limited to a quarter per address; a repeated request gets the open invoice', async () => {
    await open(1_000)
    const path = await staticCharge({ maxAmount: '9000', allowedSlots: 8 })
    const asked = []
    for (let i = 0; i < 6; i += 1) asked.push(await ask(path, '203.0.114.7', 5_000 + i))
    expect(asked.map(({ invoice }) => invoice !== undefined)).toEqual([true, true, ...Array(4).fill(false)])
    expect((await ask(path, '203.0.114.7', 5_001)).invoice).toBe(asked[1]?.invoice)
    expect((await ask(path, '203.0.114.8', 7_000)).invoice).toMatch(/^lnbcrt/)
  })

  it('are limited for a whole IPv6 /48 network as for a single address', async () => {
    await open(1_000)
    const path = await staticCharge({ maxAmount: '9000', allowedSlots: 8 })
    const asked = []
    for (let i = 0; i < 6; i += 1) asked.push(await ask(path, `2606:4700:1:${i}::1`, 5_000 + i))
    expect(asked.filter(({ invoice }) => invoice !== undefined)).toHaveLength(2)
    expect((await ask(path, '2606:4700:2::1', 7_000)).invoice).toMatch(/^lnbcrt/)
  })

  it('are limited even if the open invoices have not been written to the book yet', async () => {
    await open(1_000)
    const path = await staticCharge({ maxAmount: '9000', allowedSlots: 8 })
    const { ledger } = world.service.parts
    const gate = Promise.withResolvers<void>()
    const commit = ledger.commit.bind(ledger)
    let waiting = 0
    Object.assign(ledger, {
      commit: async (change: Parameters<typeof commit>[0]) => {
        waiting += 1
        await gate.promise
        return await commit(change)
      },
    })
    const first = [1, 2].map((n) => ask(path, '203.0.114.7', 5_000 + n))
    await world.until(() => waiting === 2)
    const third = ask(path, '203.0.114.7', 5_003)
    await world.until(() => waiting === 3)
    gate.resolve()
    expect((await Promise.all(first)).every(({ invoice }) => invoice !== undefined)).toBe(true)
    expect((await third).invoice).toBeUndefined()
  })

  it('are limited for one address even during simultaneous requests', async () => {
    await open(1_000)
    const path = await staticCharge({ maxAmount: '9000', allowedSlots: 8 })
    const asked = await Promise.all(Array.from({ length: 8 }, (_, i) => ask(path, '203.0.114.7', 5_000 + i)))
    expect(asked.filter(({ invoice }) => invoice !== undefined)).toHaveLength(2)
  })

  it('are available to an address again once it has paid one of its invoices', async () => {
    await open(1_000)
    const path = await staticCharge({ maxAmount: '9000', allowedSlots: 8 })
    const [first] = [await ask(path, '203.0.114.7', 5_000), await ask(path, '203.0.114.7', 5_001)]
    expect((await ask(path, '203.0.114.7', 5_002)).invoice).toBeUndefined()
    await world.sandbox.outside.pay(first?.invoice ?? '')
    await world.until(async () => (await ask(path, '203.0.114.7', 5_003)).invoice !== undefined)
  })

  it('are recorded under a hash of the payer’s IP address while the invoice is open', async () => {
    await open(1_000)
    const path = await staticCharge({ maxAmount: '9000', allowedSlots: 8 })
    const { invoice = '' } = await ask(path, '203.0.114.7')
    const payer = async () =>
      (await world.service.parts.database.read.invoice.findUniqueOrThrow({ where: { request: invoice } })).payer
    expect(await payer()).toMatch(/^[0-9a-f]{64}$/)
    await world.sandbox.outside.pay(invoice)
    await world.until(async () => (await payer()) === '')
  })

  it('are no longer linked to an address once the invoice has expired unpaid', async () => {
    await open(1_000)
    await ask(await staticCharge({ maxAmount: '9000', allowedSlots: 8 }), '203.0.114.7')
    const { invoice } = world.service.parts.database.read
    await world.clock.advance(150_000)
    await world.until(async () => (await invoice.count({ where: { status: 'open' } })) === 0)
    expect((await invoice.findFirstOrThrow()).payer).toBe('')
  })

  it('are not exceeded by requests from several addresses', async () => {
    await open(1_000)
    const path = await staticCharge({ maxAmount: '9000', allowedSlots: 2 })
    const asked = []
    for (let i = 0; i < 3; i += 1) asked.push(await ask(path, `203.0.114.${i}`, 5_000 + i))
    expect(asked.map(({ invoice }) => invoice !== undefined)).toEqual([true, true, false])
  })

  it('are recorded without a payer if limits for payers are off', async () => {
    await open(0)
    const path = await staticCharge({ maxAmount: '9000', allowedSlots: 8 })
    const asked = []
    for (let i = 0; i < 8; i += 1) asked.push((await ask(path, '203.0.114.7', 5_000 + i)).invoice)
    expect(asked.every((invoice) => invoice !== undefined)).toBe(true)
    const { invoice } = world.service.parts.database.read
    expect(await invoice.count({ where: { payer: { not: '' } } })).toBe(0)
  })
})
