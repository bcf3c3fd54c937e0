import { parse } from 'node-html-parser'
import { beforeAll, describe, expect } from 'vitest'
import { attack, blockedAfterMs, installed, type WireAnswer } from './installation.ts'

/** Another site, and another user, attack a signed-in user's wallet page. */
const world = installed({ PUBLIC_REQUESTS_PER_SECOND: '1000' })
const SCRIPT = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`

interface User {
  readonly userId: string
  readonly cookie: string
}
let alice: User
let mallory: User

beforeAll(async () => {
  alice = await signIn('alice')
  mallory = await signIn('mallory')
  const project = await world().project()
  const body = { gamertag: 'alice', amount: '50000', description: SCRIPT }
  await world().ask('/v0/gamertag/send-payment', { apiKey: project.apiKey, body })
})

async function signIn(gamertag: string): Promise<User> {
  const { userId, token } = await world().administration.createUser(gamertag)
  const answer = await post('/wallet/sign-in', { 'sign-in-token': token }, {})
  return { userId, cookie: (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '' }
}

function post(path: string, fields: Record<string, string>, headers: Record<string, string>): Promise<WireAnswer> {
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  const body = new URLSearchParams(fields).toString()
  return world().ask(path, { method: 'POST', body, headers: { ...form, ...headers } })
}

/** The hidden fields of a form, as its page has them. */
async function fieldsOf(user: User, page: string, action: string): Promise<Record<string, string>> {
  const { text } = await world().ask(page, { headers: { cookie: user.cookie } })
  const inputs = parse(text).querySelectorAll(`form[action="${action}"] input`)
  return Object.fromEntries(
    inputs.map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
  )
}

const gamertagOf = async (user: User) => {
  const { text } = await world().ask('/wallet/settings', { headers: { cookie: user.cookie } })
  return /<dd><b>([^<]+)<\/b>|<b>([^<]+)<\/b>/.exec(text)?.slice(1).find(Boolean)
}

describe('requests from another site', () => {
  attack(
    'forms sent from elsewhere, or without what the page put into them, nine ways',
    'nothing is changed',
    async () => {
      const fields = { ...(await fieldsOf(alice, '/wallet/settings', '/wallet/rename')), gamertag: 'owned' }
      const foreign = await fieldsOf(mallory, '/wallet/settings', '/wallet/rename')
      const { cookie } = alice
      const tries: Record<string, [Record<string, string>, Record<string, string>]> = {
        'from another site': [fields, { cookie, 'sec-fetch-site': 'cross-site' }],
        'from a sister site': [fields, { cookie, 'sec-fetch-site': 'same-site' }],
        'with a foreign origin': [fields, { cookie, 'sec-fetch-site': '', origin: 'https://evil.example' }],
        'with no origin': [fields, { cookie, 'sec-fetch-site': '', origin: 'null' }],
        'without its token': [{ gamertag: 'owned' }, { cookie }],
        "with another user's token": [{ ...fields, token: foreign.token ?? '' }, { cookie }],
        'with a guessed token': [{ ...fields, token: 'a'.repeat(64) }, { cookie }],
        'as plain text': [fields, { cookie, 'content-type': 'text/plain' }],
        'as JSON': [fields, { cookie, 'content-type': 'application/json' }],
      }
      for (const [name, [sent, headers]] of Object.entries(tries)) {
        const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
        if (headers['sec-fetch-site'] === '') given['sec-fetch-site'] = 'cross-site'
        const answer = await post('/wallet/rename', sent, given)
        expect(answer.status, name).toBeGreaterThanOrEqual(400)
        expect(answer.status, name).toBeLessThan(500)
      }
      expect(await gamertagOf(alice)).toBe('alice')
    },
  )

  attack('links that do something when they are opened', 'none does', async () => {
    const headers = { cookie: alice.cookie }
    for (const path of [
      '/wallet/rename?gamertag=owned',
      '/wallet/sign-out',
      '/wallet/sign-out-everywhere',
      '/wallet/release?name=x',
    ]) {
      expect([404, 405], path).toContain((await world().ask(path, { headers })).status)
    }
    expect((await world().ask('/wallet', { headers })).status).toBe(200)
  })

  attack('signing a visitor into the wallet of the attacker', 'refused', async () => {
    const { token } = await world().administration.userToken(mallory.userId)
    const answer = await post('/wallet/sign-in', { 'sign-in-token': token }, { 'sec-fetch-site': 'cross-site' })
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
  })

  attack('frames, scripts of the page, and cookies that scripts read', 'forbidden by every answer', async () => {
    for (const path of ['/wallet', '/wallet/sign-in?token=x', '/wallet/nothing']) {
      const { headers } = await world().ask(path, { headers: { cookie: alice.cookie } })
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy, path).toContain("frame-ancestors 'none'")
      expect(policy, path).not.toMatch(/unsafe-inline|unsafe-eval|\*/)
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    }
    const { token } = await world().administration.userToken(alice.userId)
    const answer = await post('/wallet/sign-in', { 'sign-in-token': token }, {})
    expect(answer.headers.getSetCookie()[0]).toMatch(/HttpOnly.*SameSite=Strict|SameSite=Strict.*HttpOnly/i)
  })
})

describe('other users', () => {
  attack('sign-in links used twice, guessed, and sessions that have ended', 'nobody is signed in', async () => {
    const { token } = await world().administration.userToken(mallory.userId)
    const first = await post('/wallet/sign-in', { 'sign-in-token': token }, {})
    const again = await post('/wallet/sign-in', { 'sign-in-token': token }, {})
    expect([first.status, again.headers.getSetCookie()]).toEqual([303, []])
    for (const guess of ['', 'x', 'a'.repeat(64), "' OR 1=1 --"]) {
      expect((await post('/wallet/sign-in', { 'sign-in-token': guess }, {})).headers.getSetCookie()).toEqual([])
      expect(
        (await world().ask('/wallet', { headers: { cookie: `wallet=${encodeURIComponent(guess)}` } })).status,
      ).toBe(401)
    }
    const cookie = (first.headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''
    const fields = await fieldsOf({ ...mallory, cookie }, '/wallet/settings', '/wallet/sign-out')
    await post('/wallet/sign-out', fields, { cookie })
    expect((await world().ask('/wallet', { headers: { cookie } })).status).toBe(401)
  })

  attack("another user's pages, by their addresses", 'they are not there', async () => {
    const { text } = await world().ask('/wallet/history', { headers: { cookie: alice.cookie } })
    const links = parse(text)
      .querySelectorAll('.history a')
      .map((link) => link.getAttribute('href') ?? '')
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) {
      expect((await world().ask(link, { headers: { cookie: alice.cookie } })).status, link).toBe(200)
      expect((await world().ask(link, { headers: { cookie: mallory.cookie } })).status, link).toBe(404)
    }
  })

  attack('scripts in comments, forms and addresses', 'they stay text', async () => {
    const { cookie } = alice
    for (const path of [
      '/wallet',
      '/wallet/history',
      `/wallet/send?to=${encodeURIComponent(SCRIPT)}`,
      `/wallet/${encodeURIComponent(SCRIPT)}`,
    ]) {
      const page = parse((await world().ask(path, { headers: { cookie } })).text)
      expect(
        page.querySelectorAll('script').every((script) => script.getAttribute('src')?.startsWith('/wallet/assets/')),
      ).toBe(true)
      expect(page.querySelector('[onerror], [onclick], img[src=x]'), path).toBe(null)
    }
  })

  attack('names of authority, and sixty renames', 'refused; three renames a month', async () => {
    const rename = async (gamertag: string) => {
      const fields = await fieldsOf(mallory, '/wallet/settings', '/wallet/rename')
      return (await post('/wallet/rename', { ...fields, gamertag }, { cookie: mallory.cookie })).status
    }
    for (const name of ['admin', 'Supp0rt', 'satche1_team', 'root']) expect(await rename(name), name).toBe(409)
    const statuses: number[] = []
    for (let n = 0; n < 12; n += 1) statuses.push(await rename(`mallory${n}`))
    expect(statuses.filter((status) => status === 303)).toHaveLength(3)
    expect(new Set(statuses)).toEqual(new Set([303, 429]))
  })

  attack(
    'four hundred pages with QR codes at once, and notes of 25,000 characters',
    'the user is told to wait, others are served meanwhile',
    async () => {
      const headers = { cookie: mallory.cookie }
      const pages = Array.from({ length: 400 }, (_, n) => world().ask(`/wallet/receive?amount=${n}`, { headers }))
      const started = performance.now()
      expect((await world().ask('/wallet', { headers: { cookie: alice.cookie } })).status).toBe(200)
      expect(performance.now() - started).toBeLessThan(blockedAfterMs())
      const statuses = (await Promise.all(pages)).map(({ status }) => status)
      // 408: on a busy machine the server gave up waiting for a request that it had room for.
      expect(new Set(statuses.filter((status) => status !== 408))).toEqual(new Set([200, 429]))
      expect(statuses.filter((status) => status === 200).length).toBeLessThan(120)
      const fields = await fieldsOf(alice, '/wallet/send?to=mallory2', '/wallet/send')
      const note = 'x'.repeat(25_000)
      const answer = await post(
        '/wallet/send',
        { ...fields, to: 'mallory', amount: '1', note },
        { cookie: alice.cookie },
      )
      expect(answer.status).toBe(400)
    },
  )

  attack('sending more than there is, backwards, or to oneself', 'no sat is made', async () => {
    const { cookie } = alice
    for (const amount of ['-5', '1e9', '51', '0', 'NaN', '9'.repeat(30)]) {
      const fields = await fieldsOf(alice, '/wallet/send', '/wallet/send')
      const answer = await post('/wallet/send', { ...fields, to: 'mallory2', amount, note: '' }, { cookie })
      expect(answer.status, amount).toBeLessThan(500)
    }
    expect((await world().ask('/wallet', { headers: { cookie } })).text).toMatch(/\b50\b/)
  })
})
