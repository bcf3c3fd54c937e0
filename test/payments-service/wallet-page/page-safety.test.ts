import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { ServiceWorld } from '../harness.ts'
import { type Browser, type Page, signedIn, words } from './browser.ts'

let world: ServiceWorld
let alice: { browser: Browser; userId: string }

beforeEach(async () => {
  world = await ServiceWorld.open()
  alice = await signedIn(world, 'alice')
})
const ATTACK = `"><script>alert(1)</script><img src=x onerror='alert(2)'>'&amp;`

/** Checks that no markup from a stranger became active on the page. */
function expectHarmless(page: Page): void {
  const scripts = page.root.querySelectorAll('script').map((script) => script.getAttribute('src'))
  expect(scripts).toEqual([expect.stringMatching(/^\/wallet\/assets\/wallet\.js\?v=/)])
  expect(page.root.querySelector('[onerror], [onclick], [onload], [style], style, img[src=x]')).toBeNull()
}

describe('texts from strangers', () => {
  it('are escaped in comments, project names, notes, descriptions and vouchers', async () => {
    const project = await world.administration.createProject(ATTACK, sats(100_000))
    const { client } = await world.project()
    await client.payToGamertag({ gamertag: 'alice', amount: sats(5_000), description: ATTACK })
    const call = (path: string, body: object) => world.raw('POST', path, { apiKey: project.apiKey, body })
    await call('/v0/gamertag/send-payment', { gamertag: 'alice', amount: '5000', description: ATTACK })
    const charge = await call('/v0/gamertag/charges', { gamertag: 'alice', amount: '7000', description: ATTACK })
    const voucher = await call('/v1/create-voucher', { amount: '9000', description: ATTACK })
    await world.sandbox.outside.pay(charge.json.data.invoiceRequest)
    await world.until(async () => (await world.balance({ kind: 'user', id: alice.userId })) >= 5_012_000n)
    const { browser } = alice
    await browser.open('/wallet/redeem')
    const pages = [await browser.submit('/wallet/redeem', { code: voucher.json.data.code })]
    const history = await browser.open('/wallet/history')
    pages.push(history, await browser.open('/wallet'))
    for (const link of history.root.querySelectorAll('.history a')) {
      pages.push(await browser.open(link.getAttribute('href') ?? ''))
    }
    const { invoice } = world.sandbox.outside.createInvoice({ amount: sats(1), description: { text: ATTACK } })
    await browser.open('/wallet/send')
    pages.push(await browser.submit('/wallet/send', { to: invoice, note: ATTACK }))
    for (const page of pages) {
      expectHarmless(page)
      expect(page.status).toBe(200)
    }
    expect(pages.filter((page) => words(page).includes('<script>')).length).toBeGreaterThanOrEqual(6)
  })

  it('are escaped if a refused form or a URL contains them', async () => {
    const { browser } = alice
    await browser.open('/wallet/send')
    expectHarmless(await browser.submit('/wallet/send', { to: ATTACK, amount: ATTACK, note: ATTACK }))
    await browser.open('/wallet/receive')
    expectHarmless(await browser.submit('/wallet/receive', { amount: ATTACK, note: ATTACK }))
    await browser.open('/wallet/settings')
    expectHarmless(await browser.submit('/wallet/rename', { gamertag: ATTACK }))
    for (const path of ['/wallet/send?to=', '/wallet/history?before=', '/wallet/payments/', '/wallet/sign-in?token=']) {
      expectHarmless(await browser.open(path + encodeURIComponent(ATTACK)))
    }
  })
})

describe('every page of the wallet', () => {
  it('forbids scripts from elsewhere, framing, caching and content sniffing', async () => {
    for (const path of ['/wallet', '/wallet/receive', '/wallet/sign-in?token=x', '/wallet/nothing-here']) {
      const { headers } = await alice.browser.open(path)
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('same-origin')
    }
  })

  it('loads nothing from outside and has a title, one main heading and labels', async () => {
    for (const path of ['', '/receive', '/send', '/redeem', '/history', '/settings']) {
      const { root } = await alice.browser.open(`/wallet${path}`)
      for (const element of root.querySelectorAll('[src], link[href]')) {
        expect(element.getAttribute('src') ?? element.getAttribute('href')).toMatch(/^(\/wallet\/|data:image\/png;)/)
      }
      expect(root.querySelector('title')?.textContent).toMatch(/· Satchel$/)
      expect(root.querySelectorAll('h1')).toHaveLength(1)
      expect(root.getAttribute('lang') ?? root.querySelector('html')?.getAttribute('lang')).toBe('en')
      for (const field of root.querySelectorAll('input:not([type=hidden]), textarea')) {
        expect(field.closest('label')?.textContent.trim()).toMatch(/\w/)
      }
      for (const picture of root.querySelectorAll('img')) expect(picture.getAttribute('alt')).toMatch(/\w/)
    }
  })

  it('states the reason if the payment does not exist or nobody is signed in', async () => {
    const missing = await alice.browser.open('/wallet/payments/nope')
    expect(missing.status).toBe(404)
    expect(words(missing)).toContain('There is no such payment in your wallet')
    alice.browser.cookie = undefined
    for (const path of ['', '/receive', '/history', '/payments/x', '/state', '/charges/x/state']) {
      const page = await alice.browser.open(`/wallet${path}`)
      expect({ path, status: page.status }).toEqual({ path, status: 401 })
      expect(words(page)).toContain('sign-in link')
    }
  })

  it.each([
    ['is too long', `/wallet/payments/${'x'.repeat(3_000)}`, 414, 'too long'],
    ['leads nowhere, at any length', `/wallet/${'x'.repeat(3_000)}/y`, 404, 'no such page'],
    ['has escapes that mean nothing', '/wallet/payments/%zz', 400, '%-escapes'],
  ])('has the usual layout if its URL %s', async (_what, path, status, why) => {
    const page = await alice.browser.open(path)
    expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
    expect(words(page)).toContain(why)
    expect(page.root.querySelector('a[href="/wallet"].primary')).not.toBeNull()
    expectHarmless(page)
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('x-request-id')).toMatch(/\w/)
  })

  it('refuses forms that no page has made, without an internal error', async () => {
    const { browser } = alice
    await browser.open('/wallet/send')
    const { token = '' } = browser.fieldsOf('/wallet/send')
    const nasty = ['', '\0', '😀'.repeat(2_000), 'toString()', '-1', '9'.repeat(400), "' OR 1=1"]
    for (const path of ['/send', '/send/invoice', '/send/user', '/receive', '/redeem', '/rename', '/log-in']) {
      for (const text of nasty) {
        const names = ['to', 'amount', 'note', 'invoice', 'max-fee', 'receiver', 'code', 'gamertag', 'nonce', 'request']
        const page = await browser.post(`/wallet${path}`, { token, ...Object.fromEntries(names.map((n) => [n, text])) })
        expect(page.status, `${path} ${text.slice(0, 20)}: ${words(page)}`).toBeGreaterThanOrEqual(400)
        expect(page.status).toBeLessThan(500)
        await world.clock.advance(1_000)
      }
    }
    expect((await browser.post('/wallet/send', { token, to: 'x'.repeat(40_000) })).status).toBe(413)
  })
})
