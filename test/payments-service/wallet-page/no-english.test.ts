import { afterAll, beforeAll, expect, it } from 'vitest'
import { HttpProblem } from '../../../src/lib/http/http-problem.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { refusals } from '../../../src/payments-api/payments-api.ts'
import { isSpoken, LANGUAGES } from '../../../src/payments-service/wallet-page/i18n/languages.ts'
import { createTranslators } from '../../../src/payments-service/wallet-page/i18n/translator.ts'
import { wordsOf } from '../../../src/payments-service/wallet-page/problems.ts'
import { ServiceWorld } from '../harness.ts'
import { LogIns } from '../log-in/log-in-world.ts'
import { Browser, type Page, signedIn } from './browser.ts'
import { LnurlReceiver } from './lnurl-receiver.ts'

// Every page and every refusal is fetched in English and in other languages: no English text may come back there.

let world: ServiceWorld
let shop: LnurlReceiver
let alice: Awaited<ReturnType<typeof signedIn>>
/** The paths of pages that are only opened. */
const paths: string[] = []
let spentLink: string
/** The path of the page on which a program requests access. */
let question: string
let voucher: string

beforeAll(async () => {
  world = await ServiceWorld.open({ settings: { gamertagReservedDays: 30 } })
  shop = await LnurlReceiver.open(world.sandbox)
  const { client, apiKey } = await world.project()
  alice = await signedIn(world, 'alice')
  const bob = await signedIn(world, 'bob')
  const { browser } = alice
  const visited = (page: Page) => paths.push(page.path)
  await client.payToGamertag({ gamertag: 'alice', amount: sats(50_000), description: '1' })
  await browser.open('/wallet/send')
  await browser.submit('/wallet/send', { to: 'bob', amount: '5' })
  visited(await browser.submit('/wallet/send/user'))
  visited(await payInvoice())
  world.sandbox.setFault('fail')
  visited(await payInvoice())
  world.sandbox.setFault('unknown-then-paid', { delayMs: 3_600_000_000 })
  visited(await payInvoice())
  shop.successAction = { tag: 'message', message: '2' }
  await browser.open('/wallet/send')
  await browser.submit('/wallet/send', { to: shop.address, amount: '200' })
  visited(await world.clock.advanceUntil(browser.submit('/wallet/send/invoice')))
  await browser.open('/wallet/receive')
  visited(await browser.submit('/wallet/receive', { amount: '5' }))
  await browser.open('/wallet/receive')
  visited(await browser.submit('/wallet/receive', { amount: '6' }))
  const [invoice = ''] = /lnbcrt\w+/.exec(browser.page?.text ?? '') ?? []
  await world.sandbox.outside.pay(invoice)
  await world.until(async () => (await browser.open(paths.at(-1) ?? '')).root.querySelector('.seal.done') !== null)
  const made = await world.raw('POST', '/v1/create-voucher', { apiKey, body: { amount: '9000', description: '3' } })
  voucher = made.json.data.code
  await browser.open('/wallet/redeem')
  visited(await browser.submit('/wallet/redeem', { code: voucher }))
  await browser.open('/wallet/settings')
  await browser.submit('/wallet/rename', { gamertag: 'alice2' })
  await bob.browser.open('/wallet/history')
  const { token } = await world.administration.userToken(bob.userId)
  await bob.browser.open(`/wallet/sign-in?token=${token}`)
  await bob.browser.submit('/wallet/sign-in')
  spentLink = `/wallet/sign-in?token=${token}`
  const logIns = await LogIns.open(world, { name: '8' })
  question = logIns.address().replace('/v1/oauth2/authorize', '/wallet/log-in')
  await logIns.exchange(await logIns.code(browser))
  visited(await browser.open(question))
}, 60_000)

afterAll(async () => {
  await shop.close()
  await world.close()
})

async function payInvoice(): Promise<Page> {
  const { invoice } = world.sandbox.outside.createInvoice({ amount: sats(100), description: { text: '4' } })
  await alice.browser.open('/wallet/send')
  await alice.browser.submit('/wallet/send', { to: invoice })
  return world.clock.advanceUntil(alice.browser.submit('/wallet/send/invoice'))
}

/** Somebody who opens pages, fills in forms, and stores every page. */
interface Walk {
  readonly pages: Page[]
  see(page: Promise<Page>): Promise<void>
  fill(path: string, fields: Record<string, string>, form?: string): Promise<void>
}

function startWalk(): Walk {
  const pages: Page[] = []
  const see = async (page: Promise<Page>) => {
    pages.push(await page)
    // Nobody is to be told that they are too quick.
    await world.clock.advance(1_000)
  }
  return {
    pages,
    see,
    async fill(path, fields, form = path) {
      await alice.browser.open(`/wallet${path}`)
      await see(alice.browser.submit(`/wallet${form}`, fields))
    },
  }
}

/** Visits every page and meets every refusal; returns all texts seen. */
async function visitAll(language: string): Promise<{ readonly pages: number; readonly texts: ReadonlySet<string> }> {
  await alice.browser.open('/wallet/settings')
  await alice.browser.submit('/wallet/language', { language })
  const walk = startWalk()
  await visitPages(walk)
  await beRefusedAmounts(walk)
  await beRefusedPayments(walk)
  await beRefusedCodes(walk)
  await sendWrongForms(walk, language)
  await visitAsStranger(walk, language)
  for (const { root } of walk.pages) expect(root.querySelector('html')?.getAttribute('lang')).toBe(language)
  return { pages: walk.pages.length, texts: new Set(walk.pages.flatMap(textsOf)) }
}

async function visitPages({ see, fill }: Walk): Promise<void> {
  const main = ['', '/receive', '/send', '/redeem', '/claim', '/history', '/settings', '/nowhere', '/payments/%zz']
  const missing = ['/payments/x', '/tips/x', '/vouchers/x', '/charges/x', `/payments/${'x'.repeat(3_000)}`]
  for (const path of [...main, ...missing].map((path) => `/wallet${path}`)) await see(alice.browser.open(path))
  const wrong = ['/wallet/log-in?client_id=x', question.replace('game.example', 'evil.example')]
  for (const path of [...paths, ...wrong, spentLink]) await see(alice.browser.open(path))
  for (const form of ['/link-code', '/device']) await fill('/settings', {}, form)
}

async function beRefusedAmounts({ fill }: Walk): Promise<void> {
  const amounts = ['', 'x', '0', '-1', '0.00001', '9'.repeat(30), '1.000', '$5', '0.1', 'all', '99999999']
  for (const amount of amounts) await fill('/receive', { amount })
  await fill('/receive', { amount: '5', note: 'x'.repeat(300) })
}

/** Creates a code that accepts payments, and another that pays. */
async function makeCodes(): Promise<{ readonly payIn: string; readonly payOut: string }> {
  const { client } = await world.project()
  const fixed = await client.createStaticCharge({ minAmount: sats(5), maxAmount: sats(9), description: '6' })
  const prize = await client.createWithdrawalRequest({ amount: sats(300), description: '7' })
  return { payIn: fixed.data.invoice.request, payOut: prize.data.invoice.request ?? '' }
}

async function beRefusedPayments({ fill }: Walk): Promise<void> {
  const { outside } = world.sandbox
  const invoice = (amount: bigint | undefined, expiresInSeconds?: number) =>
    outside.createInvoice({
      amount: amount === undefined ? undefined : sats(amount),
      description: { text: '5' },
      expiresInSeconds,
    }).invoice
  const own = paths.filter((path) => path.includes('/charges/'))[0] ?? ''
  const [ownInvoice = ''] = /lnbcrt\w+/.exec((await alice.browser.open(own)).text) ?? []
  const { payIn, payOut } = await makeCodes()
  const sends: ReadonlyArray<readonly [to: string, amount: string]> = [
    ['', '5'],
    ['bob', '5'],
    ['bob', 'all'],
    ['bob', '99999999'],
    ['nobody', '5'],
    ['alice2', '5'],
    ['a@b', '5'],
    ['lnurl1xyz', '5'],
    ['name@10.0.0.1', '5'],
    [`nobody@${new URL(world.url).host}`, '5'],
    ['lnbcrt1garbage'.padEnd(60, 'x'), ''],
    [invoice(undefined), ''],
    [invoice(5n), '6'],
    [invoice(5n), ''],
    [invoice(60_000n), ''],
    [invoice(5n, 0), ''],
    [ownInvoice, ''],
    [payIn, '4'],
    [payIn, '6'],
    [payOut, '5'],
    [shop.address, '5000000'],
    [shop.withdrawCode, '5'],
    ['₿name@example.com', '5'],
    ['lno1garbage', '5'],
  ]
  for (const [to, amount] of sends) await fill('/send', { to, amount })
  shop.misbehave = { amount: sats(7) }
  await fill('/send', { to: shop.address, amount: '200' })
  shop.misbehave = {}
}

async function beRefusedCodes({ see, fill }: Walk): Promise<void> {
  for (const name of ['x', 'admin']) await fill('/settings', { gamertag: name }, '/rename')
  for (const code of ['x', 'ACDEFGHJ', voucher]) await fill('/redeem', { code })
  const { payIn, payOut } = await makeCodes()
  for (const code of ['', 'x', 'lnurl1xyz', 'lnurlw://10.0.0.1/withdraw', payIn, payOut]) {
    await fill('/claim', { code })
  }
  await fill('/claim', { code: shop.withdrawCode })
  await see(world.clock.advanceUntil(alice.browser.submit('/wallet/claim/take', { amount: '1' })))
}

async function sendWrongForms({ see }: Walk, language: string): Promise<void> {
  const { browser } = alice
  // Forms that are old, foreign, tampered with, or sent for something else.
  await browser.open('/wallet/settings')
  const { token = '' } = browser.fieldsOf('/wallet/rename')
  await see(browser.post('/wallet/rename', { token: 'x', gamertag: 'alice3' }))
  await see(browser.post('/wallet/rename', { token }, { 'sec-fetch-site': 'cross-site' }))
  await see(browser.post('/wallet/release', { token, name: 'nobody' }))
  await see(browser.post('/wallet/send/user', { token, amount: 'x' }))
  await see(browser.post('/wallet/language', { language: 'xx' }))
  await see(browser.post('/wallet/receive', { token, nonce: '', amount: '5' }))
  await see(browser.post('/wallet/send', { token, to: 'x'.repeat(40_000) }))
  for (const amount of ['5', '6'])
    await see(browser.post('/wallet/receive', { token, nonce: `twice-${language}`, amount }))
}

/** Visits as a stranger, and then as a stranger who makes too many requests. */
async function visitAsStranger({ see }: Walk, language: string): Promise<void> {
  for (let i = 0; i < 45; i += 1) await alice.browser.open('/wallet/redeem')
  await see(alice.browser.open('/wallet/redeem'))
  await world.clock.advance(60_000)
  const stranger = new Browser(world)
  await stranger.open('/wallet')
  await stranger.submit('/wallet/language', { language })
  const { token: link } = await world.administration.userToken(alice.userId)
  for (const path of ['/wallet', '/wallet/signed-out', `/wallet/sign-in?token=${link}`, question])
    await see(stranger.open(path))
}

/**
 * Returns a page's texts one by one, including those for screen readers. The list of languages is omitted, since each
 * is named in itself.
 */
function textsOf({ root }: Page): string[] {
  for (const part of root.querySelectorAll('.languages form, select, textarea, time, q, dd b, .brand, .whoami b')) {
    part.remove()
  }
  const spoken = root
    .querySelectorAll('[aria-label], [alt], [data-copied]')
    .flatMap((element) => ['aria-label', 'alt', 'data-copied'].map((name) => element.getAttribute(name) ?? ''))
  const texts = root.structuredText.split('\n').concat(spoken)
  return texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => /\p{L}{2}/u.test(text))
}

/** A pattern for names, other people's texts, and texts that are the same in every language. */
const NAMES =
  /^(LNURL|A prize|[0-9a-f]{10}…[0-9a-f]{10}|shop@\S+|alice2?|alice2?@\S+|bob|127\.0\.0\.1:\d+|\/wallet|Gamertag)$/

it('no page or refusal in another language has English text', async () => {
  const english = await visitAll('en')
  expect(english.pages).toBeGreaterThan(80)
  expect(english.texts.size).toBeGreaterThan(150)
  for (const language of ['ja', 'hi']) {
    const { pages, texts } = await visitAll(language)
    expect(pages).toBe(english.pages)
    expect([...texts].filter((text) => english.texts.has(text) && !NAMES.test(text))).toEqual([])
    // Nor a sentence that is half English.
    expect([...texts].filter((text) => /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i.test(text))).toEqual([])
  }
}, 120_000)

it('every refusal of the payments interface has a text in every language', () => {
  const speak = createTranslators()
  for (const code of Object.keys(LANGUAGES).filter(isSpoken)) {
    const said = Object.entries(refusals).map(([name, { status }]) =>
      wordsOf(new HttpProblem(status, name, 'English.', { 'retry-after': '90' }), speak(code), 'sats'),
    )
    if (code === 'en') continue
    for (const text of said) expect(text).not.toMatch(/English|\{\{|undefined/)
    // What people with a voucher are refused is never just “refused”.
    const vague = speak(code)('refusals.other')
    const names = Object.keys(refusals).filter((name) => name.startsWith('voucher_'))
    for (const name of names) {
      const text = wordsOf(new HttpProblem(409, name, 'English.'), speak(code), 'sats')
      expect(text, `${name} in ${code}`).not.toBe(vague)
    }
  }
})
