import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Msats, sats } from '../../../src/lib/money/amount.ts'
import { makeOffer, makeOfferInvoice } from '../../support/bolt12-texts.ts'
import { ServiceWorld } from '../harness.ts'
import { type Browser, type Page, signedIn, words } from './browser.ts'
import { LnurlReceiver } from './lnurl-receiver.ts'

let world: ServiceWorld
let alice: { browser: Browser; userId: string }

beforeEach(async () => {
  world = await ServiceWorld.open()
  alice = await signedIn(world, 'alice')
  await fund(sats(10_000))
})
async function fund(amount: Msats): Promise<void> {
  const { client } = await world.project()
  await client.payToGamertag({ gamertag: 'alice', amount, description: 'pocket money' })
}

const balance = () => world.balance({ kind: 'user', id: alice.userId })

async function request(fields: { to: string; amount?: string; note?: string }): Promise<Page> {
  await alice.browser.open('/wallet/send')
  return alice.browser.submit('/wallet/send', fields)
}

const confirmInvoice = () => world.clock.advanceUntil(alice.browser.submit('/wallet/send/invoice'))

describe('an invoice that a user pays', () => {
  const invoiceOf = (amount: Msats | undefined, text = 'two coffees', expiresInSeconds?: number) =>
    world.sandbox.outside.createInvoice({ amount, description: { text }, expiresInSeconds })

  it('is shown with its fee limit before it is paid', async () => {
    const { invoice, paymentHash } = invoiceOf(sats(1_500))
    expect(words(await request({ to: invoice, note: 'breakfast' }))).toMatch(
      /1,500 test sats.*two coffees.*at most 15 test sats.*at most 1,515 test sats.*breakfast/,
    )
    expect(await balance()).toBe(sats(10_000))
    expect(words(await confirmInvoice())).toMatch(/Sent: 1,500 test sats.*breakfast/)
    expect(world.sandbox.outside.lookUp(paymentHash)?.state).toBe('paid')
    // What the network took, not the limit: a sat and a thousandth.
    expect(await balance()).toBe(sats(8_500) - 2_500n)
    expect(words(await alice.browser.open('/wallet/history'))).toMatch(/Lightning payment.*breakfast.*−1,500.*fee/)
  })

  it('costs no more than was shown, even if the service’s fee limit has risen since', async () => {
    expect(words(await request({ to: invoiceOf(sats(1_500)).invoice }))).toMatch(/at most 15 test sats/)
    await world.restart({ feeLimitPercent: 5 })
    await confirmInvoice()
    expect(await world.service.parts.database.read.payment.findFirstOrThrow()).toMatchObject({ maxFee: sats(15) })
  })

  it('is paid once if its form is sent repeatedly', async () => {
    await request({ to: invoiceOf(sats(1_000)).invoice })
    const form = alice.browser.fieldsOf('/wallet/send/invoice')
    const send = () => world.clock.advanceUntil(alice.browser.post('/wallet/send/invoice', form))
    const paths = [...(await Promise.all([send(), send(), send()])), await send()].map((page) => page.path)
    expect(new Set(paths).size).toBe(1)
    await world.restart()
    expect((await send()).path).toBe(paths[0])
    expect(await world.service.parts.database.read.payment.count()).toBe(1)
  })

  it('needs an amount if it states none, and “all” leaves room for the fee', async () => {
    const { invoice } = invoiceOf(undefined)
    expect(words(await request({ to: invoice }))).toContain('Type how much to pay')
    const page = await request({ to: invoice, amount: 'all' })
    expect(words(page)).toMatch(
      /9,900 test sats.*still cover the largest possible fee.*at most 99 test sats.*at most 9,999 test sats/,
    )
    await confirmInvoice()
    expect(await balance()).toBeLessThanOrEqual(sats(100))
  })

  it.each([
    ['half', '5,000 test sats'],
    ['25%', '2,500 test sats'],
  ])('is shown for review without the note about room for the fee if “%s” is typed', async (amount, told) => {
    const page = words(await request({ to: invoiceOf(undefined).invoice, amount }))
    expect(page).toContain(`Review the payment ${told}`)
    expect(page).not.toContain('largest possible fee')
  })

  it('is shown as failed and unpaid if the payment fails', async () => {
    world.sandbox.setFault('fail')
    await request({ to: invoiceOf(sats(1_000)).invoice })
    const page = await confirmInvoice()
    expect(words(page)).toContain('Not sent: 1,000 test sats The payment failed, and nothing was paid.')
    expect(words(page)).toContain('Why No route to the receiver was found')
    expect(await balance()).toBe(sats(10_000))
    expect(words(await alice.browser.open('/wallet'))).toContain('failed, nothing was paid 1,000test')
  })

  it('is shown as under way, with the sats set aside, while its outcome is unknown', async () => {
    world.sandbox.setFault('unknown-then-paid', { delayMs: 120_000 })
    await request({ to: invoiceOf(sats(1_000)).invoice })
    const page = await confirmInvoice()
    expect(words(page)).toMatch(/Under way: 1,000 test sats.*Do not send it again.*1,010 test sats/)
    expect(words(await alice.browser.open('/wallet'))).toMatch(/8,990 test sats.*1,010 test sats are set aside/)
    const watch = page.root.querySelector('main')?.getAttribute('data-watch') ?? ''
    await world.clock.advance(400_000)
    await world.until(async () => (await alice.browser.open(watch)).text === '{"state":"completed"}')
    expect(words(await alice.browser.open(page.path))).toContain('Sent: 1,000 test sats')
  })

  it.each([
    ['lnbcrt1garbage'.padEnd(60, 'x'), '', 'damaged'],
    ['nobody', '5', 'Nobody has this wallet name'],
    ['nobody.tips', '5', 'Nobody has this wallet name'],
    ['https://example.com/pay', '5', 'This code or address cannot be read'],
    ['lnbc1zzz', '', 'This code or address cannot be read'],
    [
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      '5',
      '“bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq” is a Bitcoin address',
    ],
    ['alice', '5', 'your own wallet name'],
    ['', '5', 'Say whom to pay'],
    ['a@b', '5', 'not a Lightning Address'],
    ['lnurl1xyz', '5', 'damaged'],
    ['name@10.0.0.1', '5', 'Nobody answers at this address'],
  ])('cannot be replaced by %j, which is refused with an explanation', async (to, amount, why) => {
    const page = await request({ to, amount, note: 'kept' })
    expect(page.status).toBeGreaterThanOrEqual(400)
    expect(page.status).toBeLessThan(500)
    expect(page.root.querySelector('[role=alert]')?.textContent).toContain(why)
    expect(alice.browser.fieldsOf('/wallet/send')).toMatchObject({ to, amount, note: 'kept' })
  })

  it('is shown again as typed if it is refused at the confirmation', async () => {
    const { invoice } = invoiceOf(undefined, 'two coffees', 60)
    const typed = { to: `  ${invoice}`, amount: '2.5k', note: 'two "cups" & more' }
    await request(typed)
    await world.clock.advance(61_000)
    const page = await confirmInvoice()
    expect([page.status, page.root.querySelector('[role=alert]')?.textContent]).toEqual([
      400,
      expect.stringContaining('expired'),
    ])
    expect(alice.browser.fieldsOf('/wallet/send')).toMatchObject(typed)
  })

  it('is refused with a stated shortfall if the balance cannot cover it and its fee', async () => {
    const page = await request({ to: invoiceOf(sats(9_950)).invoice })
    expect(words(page)).toContain(
      'this needs 9,950 test sats and up to 100 test sats for the fee, which is 50 test sats more',
    )
  })
})

describe('a payee on this service', () => {
  it('is paid by gamertag immediately and without a fee', async () => {
    const bob = await signedIn(world, 'Bob')
    expect(words(await request({ to: '@bob', amount: '2.5k', note: 'lunch' }))).toMatch(/2,500 test sats.*Bob.*none/)
    const form = alice.browser.fieldsOf('/wallet/send/user')
    expect(words(await alice.browser.submit('/wallet/send/user'))).toMatch(/Sent: 2,500 test sats.*lunch.*Bob/)
    await alice.browser.post('/wallet/send/user', form)
    expect(await balance()).toBe(sats(7_500))
    expect(words(await bob.browser.open('/wallet'))).toMatch(/2,500 test sats.*Tip from alice.*lunch/)
  })

  it('can be paid the whole balance through a Lightning Address of this host', async () => {
    await signedIn(world, 'bob')
    await request({ to: `bob@${new URL(world.url).host}`, amount: 'all' })
    await alice.browser.submit('/wallet/send/user')
    expect(await balance()).toBe(0n)
  })

  it('is shown again as typed if the account no longer exists', async () => {
    await signedIn(world, 'bob')
    await request({ to: '@bob', amount: '1,500', note: 'lunch' })
    await alice.browser.submit('/wallet/send/user', { receiver: 'ffffffff-ffff-4fff-8fff-ffffffffffff' })
    expect(alice.browser.fieldsOf('/wallet/send')).toMatchObject({ to: '@bob', amount: '1,500', note: 'lunch' })
  })

  it('is paid half of the balance in whole sats if the payer types “half”', async () => {
    await signedIn(world, 'bob')
    await request({ to: 'bob', amount: '1' })
    await alice.browser.submit('/wallet/send/user')
    await request({ to: 'bob', amount: 'half' })
    expect(words(await alice.browser.submit('/wallet/send/user'))).toContain('Sent: 4,999 test sats')
  })

  it('is not paid again if a form that was already sent is changed and sent again', async () => {
    await signedIn(world, 'bob')
    await request({ to: 'bob', amount: '100' })
    const form = alice.browser.fieldsOf('/wallet/send/user')
    await alice.browser.submit('/wallet/send/user')
    const page = await alice.browser.post('/wallet/send/user', { ...form, amount: '200000' })
    expect([page.status, words(page)]).toEqual([409, expect.stringContaining('This form has already been sent')])
    expect((await alice.browser.post('/wallet/send/user', { ...form, nonce: '' })).status).toBe(400)
    expect(await balance()).toBe(sats(9_900))
  })

  it('is paid even if renamed after the form was shown', async () => {
    const bob = await signedIn(world, 'bob')
    await request({ to: 'bob', amount: '100' })
    await world.administration.renameUser(bob.userId, 'robert')
    await world.administration.createUser('mallory')
    expect(words(await alice.browser.submit('/wallet/send/user'))).toContain('robert')
    expect(await world.balance({ kind: 'user', id: bob.userId })).toBe(sats(100))
  })

  it('is paid at most the service’s maximum, even through a changed form', async () => {
    await world.restart({ maxAmount: sats(5_000) })
    await signedIn(world, 'bob')
    await request({ to: 'bob', amount: '5000' })
    const page = await alice.browser.submit('/wallet/send/user', { amount: `${sats(5_000) + 1n}` })
    expect(words(page)).toMatch(/The largest amount here is 5,000 sats/)
    expect(await balance()).toBe(sats(10_000))
    expect(words(await request({ to: 'bob', amount: '5001' }))).toMatch(/The largest amount here is 5,000 sats/)
    await request({ to: 'bob', amount: '5000' })
    await alice.browser.submit('/wallet/send/user')
    expect(await balance()).toBe(sats(5_000))
  })

  it('is not paid if a changed form names a user who does not exist', async () => {
    await signedIn(world, 'bob')
    await request({ to: 'bob', amount: '100' })
    const page = await alice.browser.submit('/wallet/send/user', { receiver: 'ffffffff-ffff-4fff-8fff-ffffffffffff' })
    expect(page.status).toBe(400)
    expect(await balance()).toBe(sats(10_000))
  })

  it('can be a fundraiser’s address, which is paid inside the books', async () => {
    const { client, projectId } = await world.project(0n as Msats)
    await client.createStaticCharge({
      minAmount: sats(10),
      maxAmount: sats(500),
      description: 'roof',
      identifier: 'church-roof',
      successMessage: 'Bless you',
    })
    const to = `church-roof@${new URL(world.url).host}`
    expect(words(await request({ to, amount: '501' }))).toContain('accepts 10 to 500 test sats, not 501')
    expect(words(await request({ to, amount: '500' }))).toMatch(/church-roof@.*none/)
    expect(words(await confirmInvoice())).toContain('The receiver says: Bless you')
    expect(await world.balance({ kind: 'project', id: projectId })).toBe(sats(500))
  })
})

describe('an offer at a service whose node can pay offers', () => {
  /** The invoices that the offer's maker returned. */
  let given: string[]

  beforeEach(() => {
    given = []
    const { backend } = world.service.parts
    const capabilities = { ...backend.capabilities, offers: true, bitcoinNames: true }
    Object.defineProperty(backend, 'capabilities', { get: () => capabilities })
    backend.fetchInvoice = async ({ amount = sats(7) }) => {
      const about = { network: 'regtest', createdAt: Math.floor(world.clock.now() / 1_000) } as const
      const paymentHash = `${given.length + 1}`.padStart(64, '0')
      given.push(makeOfferInvoice({ ...about, amount, paymentHash, description: 'Fish' }))
      return { state: 'fetched', invoice: given.at(-1) ?? '' }
    }
  })

  it('is shown as its maker’s invoice, and paid once if its form is sent twice', async () => {
    expect(words(await request({ to: makeOffer(), amount: '500', note: 'hi' }))).toMatch(
      /500 test sats.*Lightning offer.*Fish.*at most 10 test sats/,
    )
    expect(await world.service.parts.database.read.payment.count()).toBe(0)
    const form = alice.browser.fieldsOf('/wallet/send/invoice')
    const send = () => world.clock.advanceUntil(alice.browser.post('/wallet/send/invoice', form))
    await Promise.all([send(), send()])
    const payments = await world.service.parts.database.read.payment.findMany()
    expect(payments).toMatchObject([{ invoice: given[0], amount: sats(500), description: 'Lightning offer: hi' }])
  })

  it('can be given as a Bitcoin name, and can fix the amount', async () => {
    expect(words(await request({ to: '₿bob@example.com', amount: '500' }))).toMatch(/500 test sats.*₿bob@example.com/)
    expect(words(await request({ to: makeOffer({ amount: 7_000n }) }))).toMatch(/7 test sats.*Lightning offer/)
    expect(words(await request({ to: makeOffer({ amount: 7_000n }), amount: '8' }))).toContain('exactly 7 sats')
    expect(words(await request({ to: makeOffer() }))).toContain('leaves the amount to you')
    expect(words(await request({ to: `lno1${'q'.repeat(9)}b`, amount: '8' }))).toContain('damaged or incomplete')
  })

  it('is mentioned in the form, as is a Bitcoin name', async () => {
    expect(words(await alice.browser.open('/wallet/send'))).toContain(
      'A Lightning offer works too, and so does a Bitcoin name',
    )
  })
})

describe('a code that cannot be paid here', () => {
  it('is explained, with advice, if it is an offer or a Bitcoin name', async () => {
    const offer = `lno1${'q'.repeat(90)}`
    for (const to of [offer, `bitcoin:?lno=${offer}`]) {
      expect(words(await request({ to, amount: '5' }))).toContain('This is a BOLT12 offer')
    }
    expect(words(await request({ to: '₿bob@example.com', amount: '5' }))).toContain(
      'try bob@example.com, without the ₿',
    )
  })

  it('is ignored in a payment link that also has an invoice', async () => {
    const { invoice } = world.sandbox.outside.createInvoice({ amount: sats(1_000), description: { text: 'x' } })
    expect(words(await request({ to: `bitcoin:bcrt1qx?lightning=${invoice}&lno=lno1qq` }))).toContain(
      'Review the payment',
    )
  })
})

describe('a remote Lightning Address', () => {
  let shop: LnurlReceiver
  beforeEach(async () => {
    shop = await LnurlReceiver.open(world.sandbox)
  })
  afterEach(() => shop.close())

  it('is asked for an invoice of the exact amount, with the note, and is paid', async () => {
    expect(words(await request({ to: shop.address, amount: '700', note: 'hi' }))).toMatch(/700 test sats.*shop@.*hi/)
    expect(shop.asked).toEqual([{ amount: '700000', comment: 'hi' }])
    expect(words(await confirmInvoice())).toMatch(new RegExp(`Sent: 700 test sats.*To ${shop.address} Note hi `))
  })

  it('can show the payer a message once it has been paid', async () => {
    shop.successAction = { tag: 'message', message: 'Your key is <b>open</b>' }
    expect(words(await request({ to: shop.address, amount: '700' }))).not.toContain('Your key')
    expect(words(await confirmInvoice())).toContain('The receiver says: Your key is <b>open</b>')
  })

  it('can have a link that is shown only after a successful payment', async () => {
    const url = `http://${new URL(`http://${shop.address.split('@')[1]}`).host}/thanks`
    shop.successAction = { tag: 'url', description: 'Your order', url }
    await request({ to: shop.address, amount: '700' })
    const page = await confirmInvoice()
    expect(page.root.querySelector(`a[href="${url}"]`)?.textContent).toContain('127.0.0.1')
    world.sandbox.setFault('fail')
    await request({ to: shop.address, amount: '700' })
    expect(words(await confirmInvoice())).not.toContain('Your order')
  })

  it('is not paid if it demands the payer’s name (LUD-18)', async () => {
    shop.payerData = { name: { mandatory: true }, identifier: { mandatory: false } }
    expect(words(await request({ to: shop.address, amount: '700' }))).toContain('wants to know who pays (name)')
    expect(shop.asked).toEqual([])
    shop.payerData = { name: { mandatory: false } }
    await request({ to: shop.address, amount: '700' })
    expect(shop.asked).toEqual([{ amount: '700000' }])
  })

  it('is not paid if its success action cannot be shown', async () => {
    shop.successAction = { tag: 'url', description: 'Your order', url: 'https://elsewhere.example/' }
    expect(words(await request({ to: shop.address, amount: '700' }))).toContain('an address on another site')
    shop.successAction = { tag: 'hologram' } as never
    expect(words(await request({ to: shop.address, amount: '700' }))).toContain('does not know (“hologram”)')
  })

  it('can sell a secret, which the proof of the payment decrypts (LUD-10)', async () => {
    shop.secret = 'open <sesame>'
    expect(words(await request({ to: shop.address, amount: '700' }))).not.toContain('sesame')
    const page = await confirmInvoice()
    expect(words(page)).toContain('The receiver says: Your code')
    expect(page.root.querySelector('[value*="sesame"]')?.getAttribute('value') ?? words(page)).toContain(
      'open <sesame>',
    )
  })

  it('is not paid if its invoice is for another amount', async () => {
    shop.misbehave = { amount: sats(701) }
    expect(words(await request({ to: shop.address, amount: '700' }))).toContain(
      'asked for 701 sats instead of 700 sats',
    )
  })

  it('is accepted even if its invoice has the hash of another description', async () => {
    shop.misbehave = { hash: '00'.repeat(32) }
    expect(words(await request({ to: shop.address, amount: '700' }))).toContain('700 test sats')
  })

  it.each([
    [404, 'does not exist: its host does not know that name'],
    [403, 'turns this service away (error 403)'],
    [503, 'is not working properly at the moment (error 503)'],
  ])('is refused with an explanation if its host answers %d', async (status, sentence) => {
    shop.status = status
    expect(words(await request({ to: shop.address, amount: '700' }))).toContain(sentence)
  })

  it('leads to advice if it accepts only whole sats and the amount has a fraction', async () => {
    shop.wholeSatsOnly = true
    expect(words(await request({ to: shop.address, amount: '700.5' }))).toContain('accepts whole sats only: try 700')
    expect(words(await request({ to: shop.address, amount: '700' }))).toContain('Review the payment')
  })

  it('is told apart from a code that pays out and from an on-chain address', async () => {
    expect(words(await request({ to: shop.withdrawCode, amount: '200' }))).toContain('This code pays out. Claim it')
    const onChain = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    for (const to of [onChain, `bitcoin:${onChain}?amount=0.001`]) {
      expect(words(await request({ to, amount: '200' }))).toContain('is a Bitcoin address')
    }
  })
})
