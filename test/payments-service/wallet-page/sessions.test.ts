import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { ServiceWorld } from '../harness.ts'
import { Browser, signedIn, words } from './browser.ts'

let world: ServiceWorld

beforeEach(async () => {
  world = await ServiceWorld.open()
})
const SIGNED_OUT = 'You are signed out'
const UNUSABLE = 'This sign-in link has already been used, or it has expired'

describe('a sign-in link', () => {
  async function link(): Promise<{ browser: Browser; token: string; userId: string }> {
    const { token, userId } = await world.administration.createUser('alice')
    return { browser: new Browser(world), token, userId }
  }

  it('is not used up when it is opened', async () => {
    const { browser, token } = await link()
    for (let i = 0; i < 3; i += 1) expect((await browser.open(`/wallet/sign-in?token=${token}`)).status).toBe(200)
    expect(browser.cookie).toBeUndefined()
    expect(words(await browser.submit('/wallet/sign-in'))).toContain('Your balance')
  })

  it('signs in only one of two people who use it simultaneously', async () => {
    const { browser, token } = await link()
    await browser.open(`/wallet/sign-in?token=${token}`)
    const form = browser.fieldsOf('/wallet/sign-in')
    const thief = new Browser(world)
    const pages = await Promise.all([browser.post('/wallet/sign-in', form), thief.post('/wallet/sign-in', form)])
    expect(pages.map((page) => page.status).sort()).toEqual([200, 400])
    expect(words(await thief.open(`/wallet/sign-in?token=${token}`))).toContain(UNUSABLE)
  })

  it('expires after a day', async () => {
    const { browser, token } = await link()
    await browser.open(`/wallet/sign-in?token=${token}`)
    world.clock.jump(24 * 3_600_000)
    expect(words(await browser.submit('/wallet/sign-in'))).toContain(UNUSABLE)
    expect(words(await browser.open(`/wallet/sign-in?token=${token}`))).toContain(UNUSABLE)
  })

  it('is refused like a used link if its token is invalid', async () => {
    const browser = new Browser(world)
    for (const token of ['', 'x', "'; DROP TABLE User--", '%00', '<script>']) {
      const page = await browser.open(`/wallet/sign-in?token=${encodeURIComponent(token)}`)
      expect({ status: page.status, words: words(page) }).toMatchObject({
        status: 400,
        words: expect.stringContaining(UNUSABLE),
      })
    }
  })

  it('is stored only as a hash, like the session', async () => {
    const { browser, token } = await link()
    await browser.open(`/wallet/sign-in?token=${token}`)
    await browser.submit('/wallet/sign-in')
    const { read } = world.service.parts.database
    const stored = JSON.stringify([await read.signInToken.findMany(), await read.session.findMany()])
    expect(stored).not.toContain(token)
    expect(stored).not.toContain(browser.cookie?.split('=')[1])
  })
})

describe('a session', () => {
  it('has a cookie that scripts cannot read and other sites cannot send', async () => {
    const cookieAt = async (publicUrl: string | undefined) => {
      const shop = await ServiceWorld.open({ settings: { publicUrl } })
      const { token } = await shop.administration.createUser('alice')
      const body = new URLSearchParams({ 'sign-in-token': token })
      const answer = await fetch(`${shop.url}/wallet/sign-in`, { method: 'POST', body, redirect: 'manual' })
      await shop.close()
      return answer.headers.get('set-cookie')
    }
    expect(await cookieAt(undefined)).toMatch(/^wallet=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(await cookieAt('https://pay.example.org')).toMatch(
      /^__Host-wallet=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
  })

  it('replaces a session that an attacker planted', async () => {
    const mallory = await signedIn(world, 'mallory')
    const { token } = await world.administration.createUser('alice')
    const victim = new Browser(world)
    victim.cookie = mallory.browser.cookie
    await victim.open(`/wallet/sign-in?token=${token}`)
    expect(words(await victim.submit('/wallet/sign-in'))).toContain('Your balance')
    expect(victim.cookie).not.toBe(mallory.browser.cookie)
    expect(words(await mallory.browser.open('/wallet'))).toContain(SIGNED_OUT)
    const fixed = new Browser(world)
    fixed.cookie = 'wallet=chosen-by-an-attacker'
    expect(words(await fixed.open('/wallet'))).toContain(SIGNED_OUT)
  })

  it('ends when its user signs out on this device or on all devices', async () => {
    const { browser, userId } = await signedIn(world, 'alice')
    const stolen = new Browser(world)
    stolen.cookie = browser.cookie
    await browser.open('/wallet/settings')
    expect(words(await browser.submit('/wallet/sign-out'))).toContain(SIGNED_OUT)
    expect((await stolen.open('/wallet')).status).toBe(401)

    const devices = await Promise.all(
      [1, 2].map(async () => {
        const { token } = await world.administration.userToken(userId)
        const device = new Browser(world)
        await device.open(`/wallet/sign-in?token=${token}`)
        await device.submit('/wallet/sign-in')
        return device
      }),
    )
    const unopened = await world.administration.userToken(userId)
    const [first, second] = devices as [Browser, Browser]
    await first.open('/wallet/settings')
    await first.submit('/wallet/sign-out-everywhere')
    expect((await second.open('/wallet')).status).toBe(401)
    expect((await second.open(`/wallet/sign-in?token=${unopened.token}`)).status).toBe(400)
  })

  it('ends after a month without a visit and is extended by each visit', async () => {
    const { browser } = await signedIn(world, 'alice')
    for (let day = 0; day < 40; day += 20) {
      world.clock.jump(20 * 24 * 3_600_000)
      expect((await browser.open('/wallet')).status).toBe(200)
    }
    world.clock.jump(30 * 24 * 3_600_000)
    expect((await browser.open('/wallet')).status).toBe(401)
  })

  it('can begin on another device with a link that is valid for 10 minutes', async () => {
    const { browser } = await signedIn(world, 'alice')
    await browser.open('/wallet/settings')
    const page = await browser.submit('/wallet/device')
    const link = page.root.querySelector('.copyable textarea')?.textContent ?? ''
    const phone = new Browser(world)
    await phone.open(link.replace(world.url, ''))
    expect(words(await phone.submit('/wallet/sign-in'))).toContain('Your balance')
    const again = await browser.open('/wallet/settings').then(() => browser.submit('/wallet/device'))
    const late = again.root.querySelector('.copyable textarea')?.textContent ?? ''
    world.clock.jump(10 * 60_000)
    expect((await phone.open(late.replace(world.url, ''))).status).toBe(400)
  })
})

describe('a person who sends too many forms', () => {
  it.each(['/wallet/sign-out', '/wallet/sign-out-everywhere'])(
    'has to wait, but can still sign out at %s',
    async (exit) => {
      const { browser } = await signedIn(world, 'alice')
      await browser.open('/wallet/settings')
      const leave = browser.fieldsOf(exit)
      const rename = browser.fieldsOf('/wallet/rename')
      let waits = 0
      for (let time = 0; time < 22; time += 1) {
        if ((await browser.post('/wallet/rename', { ...rename, gamertag: '-' })).status === 429) waits += 1
      }
      expect(waits).toBe(2)
      const page = await browser.post(exit, leave)
      expect([page.status, page.path, browser.cookie]).toEqual([200, '/wallet/signed-out', undefined])
    },
  )
})

describe('the page for signed-out people', () => {
  const page = async (site?: string) => {
    const headers = site === undefined ? {} : { 'sec-fetch-site': site }
    return await (await fetch(`${world.url}/wallet`, { headers })).text()
  }

  it('offers to open the wallet if a link on another site may have led here', async () => {
    for (const site of ['cross-site', undefined]) {
      const text = await page(site)
      expect(text).toContain(SIGNED_OUT)
      expect(text).toContain('This link came from another site')
    }
  })

  it('does not mention another site if no link on another site led here', async () => {
    for (const site of ['none', 'same-origin', 'same-site']) {
      const text = await page(site)
      expect(text).toContain(SIGNED_OUT)
      expect(text).not.toContain('another site')
      expect(text).not.toContain('Open my wallet')
    }
  })
})

describe('a forged form', () => {
  async function ready() {
    const alice = await signedIn(world, 'alice')
    const { client } = await world.project()
    await client.payToGamertag({ gamertag: 'alice', amount: sats(1_000), description: '' })
    await signedIn(world, 'mallory')
    await alice.browser.open('/wallet/send')
    await alice.browser.submit('/wallet/send', { to: 'mallory', amount: '500' })
    return { ...alice, form: alice.browser.fieldsOf('/wallet/send/user') }
  }

  it.each([
    ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling domain', {}, { 'sec-fetch-site': 'same-site' }],
    ['from another site, by an old browser', {}, { 'sec-fetch-site': '', origin: 'https://evil.example' }],
    ['from a sandboxed frame', {}, { 'sec-fetch-site': '', origin: 'null' }],
    ['without its token', { token: '' }, {}],
    ['with a made-up token', { token: 'A'.repeat(43) }, {}],
  ])('is refused if it comes %s', async (_, fields, headers) => {
    const { browser, userId, form } = await ready()
    const page = await browser.post('/wallet/send/user', { ...form, ...fields }, headers)
    expect(page.status).toBe(403)
    expect(words(page)).toContain('Nothing was done')
    expect(await world.balance({ kind: 'user', id: userId })).toBe(sats(1_000))
    expect(page.headers.get('set-cookie')).toBeNull()
  })

  it('is refused if it has the token of another session', async () => {
    const { browser, userId, form } = await ready()
    const eve = await signedIn(world, 'eve')
    await eve.browser.open('/wallet/send')
    const { token = '' } = eve.browser.fieldsOf('/wallet/send')
    expect((await browser.post('/wallet/send/user', { ...form, token })).status).toBe(403)
    expect(await world.balance({ kind: 'user', id: userId })).toBe(sats(1_000))
  })

  it('is refused if it is a sign-in form from another site', async () => {
    const { token } = await world.administration.createUser('carol')
    const page = await new Browser(world).post(
      '/wallet/sign-in',
      { 'sign-in-token': token },
      { 'sec-fetch-site': 'cross-site' },
    )
    expect(page.status).toBe(403)
  })

  it('is refused if it is sent as JSON, text or multipart', async () => {
    const { browser } = await ready()
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const page = await browser.post('/wallet/send/user', {}, { 'content-type': type })
      expect({ type, status: page.status }).toEqual({ type, status: 415 })
    }
  })
})
