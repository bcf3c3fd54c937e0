import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { createCoreLightning } from '../../../src/payments-service/backends/core-lightning/core-lightning.ts'
import { makeOffer, makeOfferInvoice } from '../../support/bolt12-texts.ts'
import { FakeClnrest } from '../backends/core-lightning/fake-clnrest.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let node: FakeClnrest
let project: Project

beforeEach(async () => {
  node = new FakeClnrest({
    now: () => world.clock.now(),
    monotonic: () => world.clock.monotonic(),
    after: (delayMs, action) => world.clock.after(delayMs, action),
  })
  await node.http.start()
  const options = { url: node.http.url, rune: node.rune, certificate: undefined }
  world = new SendingWorld({}, (clock) => createCoreLightning(options, { clock, entropy: systemEntropy }))
  await world.start()
  await world.service.parts.nodeWatch.look()
  project = await world.project(sats(10_000))
})
afterEach(() => node.http.stop())

const fetchInvoice = (body: object) => world.call(project, 'fetchOfferInvoice', { body })
const pay = (invoice: string, key?: string) =>
  world.call(project, 'sendPayment', { body: { invoice }, ...(key !== undefined && { key }) })
/**
 * Returns whether a request asks for an offer's invoice, unlike the empty request that tests the rune's permissions.
 */
const isAsked = ({ path, body }: { path: string; body: string }) => path === '/v1/fetchinvoice' && body !== '{}'
const secondsNow = () => Math.floor(world.clock.now() / 1_000)

describe('Fetch Offer Invoice', () => {
  it('fetches an invoice for exactly the amount and moves no sats', async () => {
    const offer = node.side.outsideOffer({ description: 'Fish' })
    const { status, body } = await fetchInvoice({ offer, amount: '5000', note: 'Thanks' })
    expect([status, body.data]).toEqual([
      200,
      {
        ...{ amount: '5000', network: 'regtest', description: 'a test' },
        invoice: expect.stringMatching(/^lni1/),
        paymentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        expiresAt: new Date((secondsNow() + 7_200) * 1_000).toISOString(),
      },
    ])
    expect(await world.balance(project.holder)).toBe(sats(10_000))
    expect(node.side.attempts).toEqual([])
    const asked = node.http.requests.find(({ path, body: sent }) => path === '/v1/fetchinvoice' && sent.includes(offer))
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({ amount_msat: 5_000, payer_note: 'Thanks' })
  })

  it('uses the amount that the offer states', async () => {
    const { body } = await fetchInvoice({ offer: node.side.outsideOffer({ amount: 7_000n }) })
    expect(body.data.amount).toBe('7000')
  })

  it('fetches an invoice for a Bitcoin name', async () => {
    node.names.set('bob@example.com', node.side.outsideOffer())
    const { body } = await fetchInvoice({ offer: '₿bob@example.com', amount: '5000' })
    expect(body.data.amount).toBe('5000')
  })

  it('fetches an invoice that is paid only once, however often it is submitted', async () => {
    const { body } = await fetchInvoice({ offer: node.side.outsideOffer(), amount: '500000' })
    const { invoice, paymentHash } = body.data
    const key = randomUUID()
    const paid = await pay(invoice, key)
    expect(paid.body.data).toMatchObject({ status: 'completed', amount: '500000', invoice })
    expect((await pay(invoice, key)).body).toEqual(paid.body)
    expect((await pay(invoice)).body.code).toBe('already_paid')
    expect(node.side.attemptsOf(paymentHash)).toHaveLength(1)
    expect(node.side.receivedOutside(paymentHash)).toBe(sats(500))
    expect(await world.balance(project.holder)).toBe(sats(10_000) - sats(500) - BigInt(paid.body.data.fee))
  })

  it('yields an invoice whose payment is found by hash if the node’s answer was lost', async () => {
    const { body } = await fetchInvoice({ offer: node.side.outsideOffer(), amount: '500000' })
    const { invoice, paymentHash } = body.data
    node.side.next('hang')
    const [sent] = [pay(invoice).catch(() => undefined), await node.http.reached('/xpay')]
    await world.until(() => node.side.inFlight > 0n)
    await node.http.stop()
    await world.kill(60_000)
    await sent
    await node.http.start()
    node.side.release('complete')
    const found = () => world.service.parts.database.read.payment.findFirst({ where: { paymentHash } })
    await world.pass(1_800_000, 60_000)
    await world.until(async () => (await found())?.status === 'completed')
    expect(node.side.attemptsOf(paymentHash)).toHaveLength(1)
  })

  it.each([
    ['a different amount from the one requested', { amount: 6_000n }],
    ['a different network from the node’s', { network: 'bitcoin' }],
    ['less than a minute until it expires', { expiresInSeconds: 59 }],
  ] as const)('refuses an invoice that has %s', async (_, change) => {
    node.nextFetch = change
    const { body } = await fetchInvoice({ offer: node.side.outsideOffer(), amount: '5000' })
    expect(body).toMatchObject({ code: 'offer_unanswered', message: expect.stringContaining('Nothing was sent') })
  })

  it.each(['silent', 'no-path', 'refused'] as const)(
    'reports offer_unanswered if the maker sends no invoice (%s)',
    async (next) => {
      node.nextFetch = next
      const { status, body } = await fetchInvoice({ offer: node.side.outsideOffer(), amount: '5000' })
      expect([status, body.code]).toEqual([400, 'offer_unanswered'])
    },
  )

  it('asks at most 8 makers at the same time for one payer', async () => {
    const offer = node.side.outsideOffer()
    const silent = Array.from({ length: 8 }, () => {
      node.http.next('hang', '/fetchinvoice')
      return fetchInvoice({ offer, amount: '5000' })
    })
    await world.until(() => node.http.requests.filter(isAsked).length === 8)
    const { status, body } = await fetchInvoice({ offer, amount: '5000' })
    const why = expect.stringMatching(/makers of several offers are being asked already; nothing happened/)
    expect([status, body.code, body.message]).toEqual([503, 'nothing_sent', why])
    const neighbour = await world.project(sats(10))
    const theirs = await world.call(neighbour, 'fetchOfferInvoice', { body: { offer, amount: '5000' } })
    expect(theirs.status).toBe(200)
    await world.clock.advanceUntil(Promise.all(silent))
    expect((await fetchInvoice({ offer, amount: '5000' })).status).toBe(200)
  })

  it('refuses the paying wallet’s own offer', async () => {
    const charge = { minAmount: '1000', maxAmount: '100000', description: 'Mine' }
    const { id } = (await world.call(project, 'createStaticCharge', { body: charge })).body.data
    const { offer } = (await world.call(project, 'getStaticCharge', { params: { id } })).body.data
    const { status, body } = await fetchInvoice({ offer, amount: '5000' })
    expect([status, body.code]).toEqual([400, 'self_payment'])
    expect(node.http.requests.filter(isAsked)).toEqual([])
  })

  it('reports that no sats were sent if the node cannot tell the outcome', async () => {
    node.nextFetch = 'unheard'
    const { status, body } = await fetchInvoice({ offer: node.side.outsideOffer(), amount: '5000' })
    expect([status, body.code]).toEqual([503, 'nothing_sent'])
  })

  it.each([
    ['an invoice', () => 'lnbc1abc', {}, 'invalid_offer'],
    ['a damaged offer', () => `lno1${'q'.repeat(9)}b`, {}, 'invalid_offer'],
    ['the invoice of an offer', () => `lni1${'q'.repeat(9)}`, {}, 'invalid_offer'],
    ['a name that leads nowhere', () => '₿nobody@example.com', { amount: '5000' }, 'invalid_offer'],
    ['an invalid name', () => '₿bob@', { amount: '5000' }, 'invalid_offer'],
    ['a name without an amount', () => '₿bob@example.com', {}, 'amount_required'],
    ['an offer without an amount', () => makeOffer(), {}, 'amount_required'],
    ['an amount other than the offer’s', () => makeOffer({ amount: 5_000n }), { amount: '6000' }, 'amount_not_allowed'],
    [
      'an offer in another currency',
      () => makeOffer({ amount: 500n, currency: 'EUR' }),
      { amount: '5000' },
      'invalid_offer',
    ],
    ['an offer with a quantity', () => makeOffer({ quantity: true }), { amount: '5000' }, 'invalid_offer'],
    ['an offer of mainnet', () => makeOffer({ network: 'bitcoin' }), { amount: '5000' }, 'wrong_network'],
    ['an expired offer', () => makeOffer({ expiresAt: 1 }), { amount: '5000' }, 'invoice_expired'],
    ['half a sat', () => makeOffer(), { amount: '500' }, 'amount_too_low'],
    ['too large an amount', () => makeOffer(), { amount: `${sats(2_000_000_000)}` }, 'amount_too_high'],
    ['an amount in words', () => makeOffer(), { amount: 'five' }, 'invalid_amount'],
  ])('refuses %s without asking any maker', async (_, offer, more, code) => {
    const { body } = await fetchInvoice({ offer: offer(), ...more })
    expect(body.code).toBe(code)
    expect(node.http.requests.filter(isAsked)).toEqual([])
  })
})

describe('Send Payment with a node that pays offers', () => {
  it('refuses an offer and names the operation that fetches its invoice', async () => {
    expect((await pay(makeOffer())).body).toMatchObject({
      ...{ code: 'invalid_invoice', message: expect.stringContaining('Fetch Offer Invoice') },
    })
  })

  it('refuses an invoice that has one of our payment hashes but another signature', async () => {
    await world.user('alice')
    const charge = { amount: '5000', gamertag: 'alice' }
    const { body } = await world.call(project, 'createGamertagCharge', { body: charge })
    const { paymentHash } = node.side.invoices.find(({ invoice }) => invoice === body.data.invoiceRequest) ?? {}
    const about = { network: 'regtest', amount: 5_000n, createdAt: secondsNow() } as const
    const stolen = makeOfferInvoice({ ...about, paymentHash: paymentHash ?? '' })
    expect((await pay(stolen)).body.code).toBe('foreign_invoice')
    expect(node.side.attempts).toEqual([])
  })
})

describe('a node that pays no offers', () => {
  beforeEach(async () => {
    node.methods = node.methods.filter((method) => !['fetchinvoice', 'fetchbip353'].includes(method))
    await world.kill()
    await world.service.parts.nodeWatch.look()
  })

  it('makes the service refuse offers and their invoices', async () => {
    for (const offer of [makeOffer(), '₿bob@example.com']) {
      const { status, body } = await fetchInvoice({ offer, amount: '5000' })
      expect([status, body.code]).toEqual([501, 'not_offered'])
    }
    const about = { network: 'regtest', amount: 5_000n, createdAt: secondsNow() } as const
    const invoice = makeOfferInvoice({ ...about, paymentHash: 'ab'.repeat(32) })
    expect((await pay(invoice)).body.code).toBe('invalid_invoice')
    expect(node.side.attempts).toEqual([])
  })
})

itKeepsEveryPromise(operations.fetchOfferInvoice)
