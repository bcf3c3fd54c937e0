import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { type Msats, sats } from '../../../src/lib/money/amount.ts'
import { ServiceWorld } from '../harness.ts'
import { type Browser, type Page, signedIn, words } from './browser.ts'
import { LnurlReceiver } from './lnurl-receiver.ts'

let world: ServiceWorld
let alice: { browser: Browser; userId: string }

beforeEach(async () => {
  world = await ServiceWorld.open()
  alice = await signedIn(world, 'alice')
})
const balance = () => world.balance({ kind: 'user', id: alice.userId })

async function look(code: string): Promise<Page> {
  await alice.browser.open('/wallet/claim')
  return alice.browser.submit('/wallet/claim', { code })
}

const take = (fields: Record<string, string> = {}) =>
  world.clock.advanceUntil(alice.browser.submit('/wallet/claim/take', fields))

describe('a withdraw code of this service', () => {
  it.each(['request', 'fastRequest', 'uri', 'fastUri'] as const)(
    'pays once, inside the books, if it is pasted in the form %s',
    async (form) => {
      const { client } = await world.project()
      const { data } = await client.createWithdrawalRequest({ amount: sats(300), description: 'a prize' })
      const code = data.invoice[form] ?? ''
      expect(words(await look(code))).toMatch(/Claim 300 test sats.*a prize/)
      expect(await balance()).toBe(0n)
      expect(words(await take())).toContain('300 test sats')
      expect(await balance()).toBe(sats(300))
      const again = await look(code)
      expect([again.status, words(again)]).toEqual([409, expect.stringContaining('only once')])
      expect(alice.browser.fieldsOf('/wallet/claim')).toMatchObject({ code })
    },
  )
})

it('the LNURL of a voucher from this service is answered with advice to use its code', async () => {
  const { client } = await world.project()
  const { data } = await client.createVoucher({ amount: sats(300) })
  expect(words(await look(data.withdraw?.request ?? ''))).toMatch(/Redeem a voucher.*then the full amount arrives/)
})

describe('a withdraw code from elsewhere', () => {
  let shop: LnurlReceiver
  beforeEach(async () => {
    shop = await LnurlReceiver.open(world.sandbox)
  })
  afterEach(() => shop.close())

  const received = (amount: Msats) => world.until(async () => (await balance()) === amount)

  it('pays the requested amount within its limits', async () => {
    expect(words(await look(shop.withdrawCode))).toMatch(/Claim 100 to 500 test sats.*127\.0\.0\.1.*A prize/)
    expect(words(await take({ amount: '501' }))).toContain('pays 100 to 500 test sats')
    await look(shop.withdrawCode)
    expect(words(await take({ amount: '200' }))).toContain('200 test sats')
    await received(sats(200))
    expect(words(await alice.browser.open('/wallet/history'))).toMatch(/A prize.*\+200/)
  })

  it('that its issuer refuses to pay leads to an error with the issuer’s reason', async () => {
    shop.claims = 'refuse'
    await look(shop.withdrawCode)
    const page = await take()
    expect([page.status, words(page)]).toEqual([
      400,
      expect.stringContaining('“Somebody was faster”. Nothing was paid'),
    ])
    expect(await balance()).toBe(0n)
  })

  it('is shown as paid on its invoice’s page even if its issuer gave no answer', async () => {
    shop.claims = 'vanish'
    await look(shop.withdrawCode)
    const { path } = await take()
    expect(path).toMatch(/^\/wallet\/charges\//)
    await received(sats(500))
    expect(words(await alice.browser.open(path))).toContain('500 test sats')
  })
})

it.each([
  ['', 'not an LNURL code'],
  ['alice', 'not an LNURL code'],
  ['lnurl1xyz', 'damaged'],
  ['lnurlw://10.0.0.1/withdraw', 'Nobody answers'],
])('the claim form refuses %j with an explanation', async (code, why) => {
  const page = await look(code)
  expect([page.status, page.root.querySelector('[role=alert]')?.textContent]).toEqual([
    400,
    expect.stringContaining(why),
  ])
})

it('the claim form refuses a code that receives payments', async () => {
  const { client } = await world.project()
  const { data } = await client.createStaticCharge({ minAmount: sats(1), maxAmount: sats(5), description: 'coffee' })
  expect((await look(data.invoice.request)).status).toBe(400)
})

it('codes of this service can be used even if calls to its own machine are forbidden', async () => {
  await world.close()
  world = await ServiceWorld.open({ settings: { outgoingAllowLoopback: false } })
  alice = await signedIn(world, 'alice')
  const { client } = await world.project()
  const { data } = await client.createWithdrawalRequest({ amount: sats(300), description: 'a prize' })
  await look(data.invoice.request ?? '')
  expect(words(await take())).toContain('300 test sats')
  const charge = await client.createStaticCharge({
    minAmount: sats(1),
    maxAmount: sats(50),
    description: 'coffee',
    identifier: 'cafe',
  })
  const lightning = (path: string) => `lnurlp://${new URL(world.url).host}${path}`
  for (const to of [charge.data.invoice.request, lightning('/.well-known/lnurlp/cafe')]) {
    await alice.browser.open('/wallet/send')
    await alice.browser.submit('/wallet/send', { to, amount: '40' })
    expect(words(await world.clock.advanceUntil(alice.browser.submit('/wallet/send/invoice')))).toContain('Sent: 40')
  }
  expect(await balance()).toBe(sats(220))
  const foreign = ['http://127.0.0.1:1/x', `${world.url}/elsewhere`].map((url) => encodeLnurl(url))
  const pages: string[] = []
  for (const to of [...foreign, data.invoice.request ?? '']) {
    await alice.browser.open('/wallet/send')
    pages.push(words(await alice.browser.submit('/wallet/send', { to, amount: '40' })))
  }
  expect(pages[0]).toContain('does not use https')
  expect(pages[1]).toContain("This code doesn't belong to anyone here")
  expect(pages[2]).toContain('claim it on the page Receive')
})
