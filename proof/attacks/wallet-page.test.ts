import { parse } from 'node-html-parser'
import { beforeAll, describe, expect } from 'vitest'
import { attack, blockedAfterMs, installed, type WireAnswer } from './installation.ts'

/** Another site and another user attack a signed-in user's wallet page. */
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

/** Reads the hidden fields of a form from its page. */
async function fieldsOf(user: User, page: string, action: string): Promise<Record<string, string>> {
  const { text } = await world().ask(page, { headers: { cookie: user.cookie } })
  const inputs = parse(text).querySelectorAll(`form[action="${action}"] input`)
  return Object.fromEntries(
    inputs.map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
  )
}

describe('requests from another site', () => {
  attack('links that would change something when opened', 'none changes anything', async () => {
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
})

describe('other users', () => {
  attack('another user’s pages, by their addresses', 'they are not found', async () => {
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

  attack(
    '400 simultaneous pages with QR codes and notes of 25,000 characters',
    'the user is told to wait, and others are served meanwhile',
    async () => {
      const headers = { cookie: mallory.cookie }
      const began = performance.now()
      const pages = Array.from({ length: 400 }, (_, n) => world().ask(`/wallet/receive?amount=${n}`, { headers }))
      const started = performance.now()
      expect((await world().ask('/wallet', { headers: { cookie: alice.cookie } })).status).toBe(200)
      expect(performance.now() - started).toBeLessThan(blockedAfterMs())
      const statuses = (await Promise.all(pages)).map(({ status }) => status)
      // 408: on a busy machine, the server gave up waiting for a request that it had room for.
      expect(statuses.filter((status) => ![200, 408, 429].includes(status))).toEqual([])
      // Four a second, and ten seconds' worth at once.
      const most = 40 + (4 * (performance.now() - began)) / 1_000
      expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(most)
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

  attack('payments above the balance, below 0 or to oneself', 'no sat is created', async () => {
    const { cookie } = alice
    for (const amount of ['-5', '1e9', '51', '0', 'NaN', '9'.repeat(30)]) {
      const fields = await fieldsOf(alice, '/wallet/send', '/wallet/send')
      const answer = await post('/wallet/send', { ...fields, to: 'mallory2', amount, note: '' }, { cookie })
      expect(answer.status, amount).toBeLessThan(500)
    }
    expect((await world().ask('/wallet', { headers: { cookie } })).text).toMatch(/\b50\b/)
  })
})
