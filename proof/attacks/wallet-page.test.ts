import { parse } from 'node-html-parser'
import { beforeAll, describe, expect } from 'vitest'
import { attack, installed, type WireAnswer } from './installation.ts'

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

describe('requests that another site makes', () => {
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
})

describe('other users', () => {
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
})
