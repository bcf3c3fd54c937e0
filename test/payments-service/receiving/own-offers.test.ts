import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { decodeOffer } from '../../../src/lib/lightning/bolt12.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { createCoreLightning } from '../../../src/payments-service/backends/core-lightning/core-lightning.ts'
import { SUSPENSE } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { compareHistories } from '../../../src/payments-service/node-audit/compare-histories.ts'
import { offerOf } from '../../../src/payments-service/receiving/own-offer.ts'
import { findPayableName } from '../../../src/payments-service/receiving/payable-name.ts'
import { FakeClnrest } from '../backends/core-lightning/fake-clnrest.ts'
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
  world = new SendingWorld({ publicUrl: 'https://pay.example' }, (clock) =>
    createCoreLightning(options, { clock, entropy: systemEntropy }),
  )
  await world.start()
  await world.service.parts.nodeWatch.look()
  project = await world.project(sats(0))
})
afterEach(() => node.http.stop())

async function charge(more: object = {}): Promise<string> {
  const body = { minAmount: '1000', maxAmount: '100000000', description: 'Payment to bob', ...more }
  const answer = await world.call(project, 'createStaticCharge', { body })
  return answer.body.data.id
}
const read = async (id: string) => (await world.call(project, 'getStaticCharge', { params: { id } })).body.data
const paid = async (id: string) =>
  (await world.call(project, 'listStaticChargePayments', { params: { id, after: '0' } })).body.data.payments
const book = () => world.service.parts.database.read
const audit = () => {
  const { backend } = world.service.parts
  return compareHistories({ read: (look) => look(book() as never), backend })
}
const arrived = (hash: string) =>
  world.until(async () => (await book().invoice.findUnique({ where: { paymentHash: hash } }))?.status === 'settled')

describe('the offer of a static charge', () => {
  it('is always the same and has the charge’s text', async () => {
    const id = await charge()
    const { offer } = await read(id)
    expect(decodeOffer(offer)).toMatchObject({
      networks: ['regtest'],
      amount: undefined,
      description: 'Payment to bob',
    })
    expect((await read(id)).offer).toBe(offer)
    const [twice, again] = await Promise.all([charge(), charge()])
    expect(new Set([offer, (await read(twice)).offer, (await read(again)).offer]).size).toBe(3)
    const asked = node.http.requests.filter(({ path, body }) => path === '/v1/offer' && body !== '{}')
    const issuers = asked.map(({ body }) => JSON.parse(body).issuer)
    expect([issuers.length, new Set(issuers).size]).toEqual([3, 3])
    // Like the description, it has to fit into a QR code.
    for (const issuer of issuers) expect(issuer).toMatch(/^pay\.example\/[0-9a-f]{16}$/)
  })

  it('has the charge’s text in one line, within a size that cameras can read', async () => {
    const { offer } = await read(await charge({ description: `Tea\r\nfor\ttwo ${'é'.repeat(300)}` }))
    expect(decodeOffer(offer).description).toBe(`Tea for two ${'é'.repeat(148)}`)
  })

  it('receives payments that are credited and listed with the payer’s note', async () => {
    const id = await charge({ callbackUrl: 'https://example.com/paid' })
    const { offer } = await read(id)
    const first = node.receiveByOffer(offer, msats(70_001n), `For the\0 fish ${'🐟'.repeat(300)}`)
    await arrived(first.paymentHash)
    const last = node.receiveByOffer(offer, sats(5))
    await arrived(last.paymentHash)
    const always = { id: expect.any(String), settledAt: new Date(world.clock.now()).toISOString() }
    expect(await paid(id)).toEqual([
      { ...always, slot: 1, amount: '70001', comment: `For the fish ${'🐟'.repeat(242)}` },
      { ...always, slot: 2, amount: '5000', comment: '' },
    ])
    const row = await book().invoice.findUnique({ where: { paymentHash: last.paymentHash } })
    expect(row).toMatchObject({ request: `lni:${last.paymentHash}`, payerData: '', zapRequest: '', payer: '' })
    const told = await world.callbacks(`static-charge:${id}`)
    expect(told.map(({ payment }) => payment)).toMatchObject([{ amount: '70001' }, { amount: '5000' }])
    expect(await world.balance(project.holder)).toBe(75_001n)
    expect(world.alerts()).toEqual([])
    expect(await audit()).toEqual([])
  })

  it('can receive a payment with a note of any length, and the payments after it', async () => {
    const { offer } = await read(await charge())
    const first = node.receiveByOffer(offer, sats(1), 'a'.repeat(20_000))
    const second = node.receiveByOffer(offer, sats(2), 'honest')
    await arrived(second.paymentHash)
    const rows = await book().invoice.findMany({ orderBy: { amount: 'asc' } })
    expect(rows.map(({ paymentHash }) => paymentHash)).toEqual([first.paymentHash, second.paymentHash])
    // PostgreSQL refuses what does not fit into its unique index: 2,704 bytes.
    for (const { request, comment } of rows) expect([...request, ...comment].length).toBeLessThan(1_000)
    expect(await world.balance(project.holder)).toBe(sats(3))
  })

  it('causes an alert if a payment cannot be recorded; the payment is credited later', async () => {
    const { offer } = await read(await charge())
    const { ledger } = world.service.parts
    const { commit } = ledger
    let refusals = 0
    Object.assign(ledger, {
      commit: (change: Parameters<typeof commit>[0]) => {
        if (!change.entries?.some(({ operation }) => operation.startsWith('invoice:'))) return commit(change)
        refusals += 1
        return Promise.reject(new Error('no room'))
      },
    })
    const stuck = node.receiveByOffer(offer, sats(1))
    for (const times of [4, 6, 8]) {
      await world.until(async () => {
        if (refusals < times) await world.clock.advance(1_000)
        return refusals >= times
      })
      expect(world.alerts()).toEqual(times < 5 ? [] : ['settlement_stuck'])
    }
    Object.assign(ledger, { commit })
    await world.clock.advance(30_000)
    await arrived(stuck.paymentHash)
    expect(await world.balance(project.holder)).toBe(sats(1))
  })

  it('leads to only one credit for a payment that the node reports repeatedly', async () => {
    const id = await charge()
    const { offer } = await read(id)
    const first = node.receiveByOffer(offer, sats(7))
    await arrived(first.paymentHash)
    await world.service.parts.ledger.commit({ write: async (tx) => void (await tx.cursor.deleteMany()) })
    const second = node.receiveByOffer(offer, sats(8))
    await world.kill(60_000)
    const third = node.receiveByOffer(offer, sats(9))
    await arrived(third.paymentHash)
    await arrived(second.paymentHash)
    expect((await paid(id)).map(({ amount }: { amount: string }) => amount)).toEqual(['7000', '8000', '9000'])
    expect(await world.balance(project.holder)).toBe(sats(24))
  })

  it('does not exist if slots are counted or the rune does not permit offers', async () => {
    expect(await read(await charge({ allowedSlots: 1 }))).not.toHaveProperty('offer')
    node.methods = node.methods.filter((method) => method !== 'offer')
    await world.kill()
    await world.service.parts.nodeWatch.look()
    expect(await read(await charge())).not.toHaveProperty('offer')
    expect((await world.call(project, 'getWallet')).body.data.node.offers).toEqual({
      ...{ pays: true, names: true, receives: false },
    })
  })

  it.each([
    ['its minimum is above 1 sat', { minAmount: '1001' }],
    ['its price is fixed', { minAmount: '1000', maxAmount: '1000' }],
  ])('does not exist if %s', async (_what, more) => {
    expect(await read(await charge(more))).not.toHaveProperty('offer')
  })

  it('is missing until the node succeeds in making it', async () => {
    const id = await charge()
    node.http.next('html', '/offer')
    expect(await read(id)).not.toHaveProperty('offer')
    const said = world.log.filter(({ msg }) => msg === 'the Lightning node made no offer')
    expect(said.at(-1)).toMatchObject({ level: 'warn', purpose: 'static-charge', resource: id, err: expect.anything() })
    expect((await read(id)).offer).toMatch(/^lno1/)
  })

  it('is hidden while it is disabled at the node, with up to a minute’s delay', async () => {
    const id = await charge()
    const { offer } = await read(id)
    node.areOffersDisabled = true
    await world.clock.advance(60_000)
    expect(await read(id)).not.toHaveProperty('offer')
    node.areOffersDisabled = false
    expect((await read(id)).offer).toBe(offer)
    expect(world.log.filter(({ msg }) => msg === 'the Lightning node made no offer')).toEqual([])
  })

  it('is found again at the node after the service’s address has changed', async () => {
    const id = await charge()
    const { offer } = await read(id)
    Object.defineProperty(world.service.parts, 'publicUrl', { value: 'https://other.example' })
    await world.clock.advance(60_000)
    expect((await read(id)).offer).toBe(offer)
    const asked = node.http.requests.filter(({ path, body }) => path === '/v1/offer' && body !== '{}')
    const issuers = asked.map(({ body }) => JSON.parse(body).issuer)
    expect([issuers.length, new Set(issuers).size]).toEqual([2, 1])
  })

  it('remains visible while the node cannot be polled about it', async () => {
    const id = await charge()
    const { offer } = await read(id)
    await world.clock.advance(60_000)
    node.http.next('html', '/offer')
    expect((await read(id)).offer).toBe(offer)
    await node.http.stop()
    await world.clock.advance(60_000)
    expect((await read(id)).offer).toBe(offer)
    await node.http.start()
  })

  it('does not exist and causes no warning if the node connection cannot make offers', async () => {
    Object.assign(world.service.parts.backend, { createOffer: undefined })
    expect(await read(await charge())).not.toHaveProperty('offer')
    expect(world.log.filter(({ level }) => level === 'warn')).toEqual([])
  })

  it('does not exist before the node is first reached', async () => {
    const away = new SendingWorld()
    away.node.info = () => Promise.reject(new Error('ECONNREFUSED'))
    away.node.capabilities = { ...away.node.capabilities, ownOffers: true }
    await away.start()
    const who = await away.project(sats(0))
    const body = { minAmount: '1000', maxAmount: '100000', description: 'Payment to bob' }
    const { id } = (await away.call(who, 'createStaticCharge', { body })).body.data
    const answer = await away.call(who, 'getStaticCharge', { params: { id } })
    expect([answer.status, answer.body.data.offer]).toEqual([200, undefined])
    await away.close()
  })

  it('is not credited with payments of other offers on the node, which go to suspense', async () => {
    const other = { description: 'Not ours', issuer: 'somebody' }
    const { text } = (await world.service.parts.backend.createOffer?.(other)) ?? { text: '' }
    node.receiveByOffer(text, sats(3))
    await world.until(async () => (await book().unclaimedReceipt.count()) === 1)
    expect((await book().unclaimedReceipt.findFirst())?.reason).toMatch(/^unknown offer [0-9a-f]{64}$/)
    expect(await world.service.parts.ledger.balance(SUSPENSE)).toBe(sats(3))
    expect(world.alerts()).toEqual(['unclaimed_receipt'])
  })

  it('keeps a payer’s note private, since /lnurl/verify does not show its invoice', async () => {
    const { offer } = await read(await charge())
    const { paymentHash } = node.receiveByOffer(offer, sats(5), 'Between us')
    await arrived(paymentHash)
    expect((await world.fetch(`/lnurl/verify/${paymentHash}`)).status).toBe(404)
  })
})

describe('the offer of a user', () => {
  const userOffer = async (gamertag: string) => {
    const payable = await findPayableName(world.service.parts, gamertag)
    return (payable && (await offerOf(world.service.parts, payable))) ?? ''
  }

  it('still pays that user after another user has taken the name', async () => {
    const alice = await world.user('alice')
    const old = await userOffer('alice')
    await world.service.parts.ledger.commit({
      write: async (tx) => {
        await tx.name.delete({ where: { folded: 'alice' } })
        await tx.name.create({ data: { folded: 'alys', display: 'alys', userId: alice.id } })
      },
    })
    const successor = await world.user('alice')
    const [theirs, renamed] = [await userOffer('alice'), await userOffer('alys')]
    expect(new Set([old, theirs, renamed]).size).toBe(3)
    const payments = [
      node.receiveByOffer(old, sats(1)),
      node.receiveByOffer(renamed, sats(2)),
      node.receiveByOffer(theirs, sats(4)),
    ]
    for (const { paymentHash } of payments) await arrived(paymentHash)
    expect([await world.balance(alice), await world.balance(successor)]).toEqual([sats(3), sats(4)])
  })

  it('is paid inside the books by a wallet of the same service', async () => {
    const alice = await world.user('alice')
    const offer = await userOffer('alice')
    const payer = await world.project(sats(100))
    const body = { offer, amount: '5000', note: 'Hello' }
    const { data } = (await world.call(payer, 'fetchOfferInvoice', { body })).body
    expect(decodeInvoice(data.invoice).paymentHash).toBe(data.paymentHash)
    const sent = await world.call(payer, 'sendPayment', { body: { invoice: data.invoice } })
    expect(sent.body.data).toMatchObject({ status: 'completed', fee: '0' })
    expect([await world.balance(alice), await world.balance(payer.holder)]).toEqual([sats(5), sats(95)])
    expect(node.side.attempts).toEqual([])
    const open = await world.call(payer, 'fetchOfferInvoice', { body: { offer } })
    expect(open.body.code).toBe('amount_required')
  })
})
