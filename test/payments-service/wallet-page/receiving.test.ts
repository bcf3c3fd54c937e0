import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { creditSettlement } from '../../../src/payments-service/receiving/settlement-consumer.ts'
import { makeOffer, makeOfferInvoice } from '../../support/bolt12-texts.ts'
import { ServiceWorld } from '../harness.ts'
import { type Browser, signedIn, words } from './browser.ts'

let world: ServiceWorld
let alice: { browser: Browser; userId: string }

beforeEach(async () => {
  world = await ServiceWorld.open()
  alice = await signedIn(world, 'Alice')
})
describe('the wallet', () => {
  it('shows an empty balance, and says that test sats have no value', async () => {
    const page = await alice.browser.open('/wallet')
    expect(words(page)).toContain('0 test sats')
    expect(words(page)).toContain('Nothing has come in yet')
    expect(page.text).toContain('have no value')
  })

  it('shows tips from a project with their comments', async () => {
    const { client } = await world.project()
    await client.payToGamertag({ gamertag: 'alice', amount: sats(500), description: 'great answer' })
    expect(words(await alice.browser.open('/wallet'))).toMatch(/500 test sats.*Tip from test.*great answer.*\+500/)
    const [link] = alice.browser.page?.root.querySelectorAll('.history a') ?? []
    expect(words(await alice.browser.open(link?.getAttribute('href') ?? ''))).toMatch(
      /Received: 500 test sats.*great answer/,
    )
  })
})

describe('an invoice of the wallet page', () => {
  async function ask(amount: string, note = '') {
    await alice.browser.open('/wallet/receive')
    return alice.browser.submit('/wallet/receive', { amount, note })
  }

  it('is shown with its QR code, and later as paid', async () => {
    const page = await ask('2.5k', 'for the pizza')
    const invoice = page.root.querySelector('.copyable textarea')?.textContent ?? ''
    expect(decodeInvoice(invoice)).toMatchObject({ amount: sats(2_500), description: 'for the pizza' })
    expect(page.root.querySelector('.qr')?.getAttribute('src')).toMatch(/^data:image\/png;base64,/)
    const path = page.root.querySelector('main')?.getAttribute('data-watch') ?? ''
    expect((await alice.browser.open(path)).text).toBe('{"state":"open"}')
    await world.sandbox.outside.pay(invoice)
    await world.until(async () => (await alice.browser.open(path)).text === '{"state":"paid"}')
    expect(words(await alice.browser.open(page.path))).toContain('Paid: 2,500 test sats')
    expect(words(await alice.browser.open('/wallet'))).toMatch(
      /2,500 test sats.*Received over Lightning.*for the pizza/,
    )
  })

  it('is shown as expired once its time is over', async () => {
    const page = await ask('100')
    world.clock.jump(25 * 3_600_000)
    expect(words(await alice.browser.open(page.path))).toContain('This invoice has expired')
  })

  it.each([
    ['', 'Say how much'],
    ['abc', 'This is not an amount'],
    ['-5', 'more than zero'],
    ['0.5', '1 sat or more'],
    ['1.000', 'two different amounts'],
    ['all', 'does not say how much here'],
    ['$5', 'No exchange rate'],
    ['1 btc', 'The largest amount here is 10,000,000 sats.'],
  ])('is refused with an explanation if the amount is %j', async (amount, why) => {
    const page = await ask(amount, 'keep me')
    expect(page.status).toBe(400)
    expect(page.root.querySelector('[role=alert]')?.textContent).toContain(why)
    expect(alice.browser.fieldsOf('/wallet/receive')).toMatchObject({ amount, note: 'keep me' })
  })

  it('is not shown to another user', async () => {
    const { path } = await ask('100')
    const bob = await signedIn(world, 'bob')
    expect((await bob.browser.open(path)).status).toBe(404)
    expect((await bob.browser.open(`${path}/state`)).status).toBe(404)
  })
})

describe('a user’s Lightning Address', () => {
  it('is shown, and payments to it appear with their comments', async () => {
    const page = await alice.browser.open('/wallet/receive')
    const address = `alice@${new URL(world.url).host}`
    expect(page.text).toContain(address)
    await world.sandbox.outside.pay(address, sats(40), 'hello')
    await world.until(async () => (await world.balance({ kind: 'user', id: alice.userId })) > 0n)
    expect(words(await alice.browser.open('/wallet'))).toMatch(
      /40 test sats.*Received at your Lightning Address.*hello/,
    )
  })
})

describe('the history', () => {
  it('names the payer of an invoice if the payer is on this service', async () => {
    const { client } = await world.project()
    const bob = await signedIn(world, 'bob')
    const invoiceFor = async (note: string) => {
      await alice.browser.open('/wallet/receive')
      const page = await alice.browser.submit('/wallet/receive', { amount: '1,000', note })
      return page.root.querySelector('.copyable textarea')?.textContent ?? ''
    }
    await client.payToGamertag({ gamertag: 'bob', amount: sats(1_000), description: '' })
    await client.sendPayment({ invoice: await invoiceFor('one') })
    await bob.browser.open('/wallet/send')
    await bob.browser.submit('/wallet/send', { to: await invoiceFor('two') })
    await bob.browser.submit('/wallet/send/invoice')
    const { data: request } = await client.createWithdrawalRequest({ amount: sats(1_000) })
    const url = decodeLnurl(request.invoice.request, { allowLoopbackHttp: true })
    const { json: offer } = await world.raw('GET', url.pathname + url.search)
    await fetch(`${offer.callback}?k1=${offer.k1}&pr=${await invoiceFor('three')}`)
    await world.until(async () => (await world.balance({ kind: 'user', id: alice.userId })) === sats(3_000))
    expect(words(await alice.browser.open('/wallet/history'))).toMatch(
      /Received from test.*three.*\+1,000.*Received from bob.*two.*\+1,000.*Received from test.*one.*\+1,000/,
    )
    expect(words(await bob.browser.open('/wallet/history'))).toMatch(/Lightning payment.*−1,000/)
  })

  it('shows each entry once, across all its pages', async () => {
    const { client } = await world.project()
    for (let i = 1; i <= 60; i += 1)
      await client.payToGamertag({ gamertag: 'alice', amount: sats(i), description: `nr ${i}` })
    const seen: string[] = []
    for (let path: string | undefined = '/wallet/history'; path !== undefined; ) {
      const page = await alice.browser.open(path)
      seen.push(...page.root.querySelectorAll('.history q').map((note) => note.textContent))
      path = page.root.querySelector('a[rel=next]')?.getAttribute('href')
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => `nr ${60 - i}`))
  })
})

describe('a Lightning offer', () => {
  it('is not shown if the node cannot receive through offers', async () => {
    expect(words(await alice.browser.open('/wallet/receive'))).not.toContain('offer')
  })

  it('is shown, and payments to it appear in the wallet', async () => {
    const { parts } = world.service
    const capabilities = { ...parts.backend.capabilities, ownOffers: true }
    Object.defineProperty(parts.backend, 'capabilities', { get: () => capabilities })
    const made = { id: 'ab'.repeat(32), text: makeOffer({ description: 'Payment to Alice' }) }
    parts.backend.createOffer = async () => made
    const page = await alice.browser.open('/wallet/receive')
    expect(words(page)).toContain('Your Lightning offer')
    expect(page.text).toContain(made.text)
    const [preimage, settledAt] = ['11'.repeat(32), new Date(world.clock.now())]
    const paymentHash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')
    const about = { network: 'regtest', amount: sats(700), createdAt: Math.floor(settledAt.getTime() / 1_000) } as const
    const offer = { id: made.id, invoice: makeOfferInvoice({ ...about, paymentHash }), note: 'for the fish' }
    const cursor = `${settledAt.getTime()}`
    await creditSettlement(parts, {
      ...{ paymentHash, preimage, settledAt, cursor },
      received: sats(700),
      keysend: false,
      offer,
    })
    expect(words(await alice.browser.open('/wallet'))).toMatch(/700 test sats.*Received by your offer.*for the fish/)
  })
})
