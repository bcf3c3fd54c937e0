import { once } from 'node:events'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { beforeEach, expect, it } from 'vitest'
import { aliceHasSome } from '../tipping/funded-world.ts'
import type { TippingWorld } from '../tipping/world.ts'
import { PASSWORD, type Served, serveConsole } from './console-world.ts'

let world: TippingWorld
beforeEach(async () => {
  world = await aliceHasSome({ replays: false })
})
const serve = (served: Served = {}) => serveConsole(world, served)

async function signedIn(served: Served = {}) {
  const visitor = await serve(served)
  await visitor.signIn()
  return visitor
}

/** Sends a request with only these headers, because `fetch` adds some that browsers send. */
async function plainly(address: string, method: 'GET' | 'POST', path: string, headers: OutgoingHttpHeaders, body = '') {
  const sent = request(address + path, { method, headers: { ...headers, 'content-length': body.length } }).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  return answer
}

/** Returns the cookie of a sign-in with these headers, and the cookie's attributes. */
async function cookieFrom(address: string, headers: OutgoingHttpHeaders): Promise<string[]> {
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers }
  const body = new URLSearchParams({ password: PASSWORD }).toString()
  const answer = await plainly(address, 'POST', '/console/sign-in', form, body)
  expect(answer.statusCode).toBe(303)
  return answer.headers['set-cookie']?.[0]?.split('; ') ?? []
}

it.each([
  ['http://127.0.0.1:8788', /^operators=/],
  ['https://tips.example', /^__Host-operators=/],
])('a sign-in at %s sets a cookie with the prefix that suits the URL', async (publicUrl, cookie) => {
  const visitor = await signedIn({ publicUrl })
  expect(visitor.cookie).toMatch(cookie)
  expect((await visitor.look()).status).toBe(200)
})

it('a sign-in over plain http at home works even if the bot has a public https URL', async () => {
  const { address } = await serve({ publicUrl: 'https://tips.example' })
  const [cookie, ...attributes] = await cookieFrom(address, { origin: 'http://satchel.local', host: 'satchel.local' })
  expect(cookie).toMatch(/^operators=[\w-]{43}$/)
  expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict']))
  expect(attributes).not.toContain('Secure')
  const seen = async (headers: OutgoingHttpHeaders) => (await plainly(address, 'GET', '/console', headers)).statusCode
  expect(await seen({ host: 'satchel.local', cookie })).toBe(200)
  // Somebody on the way could have planted it.
  expect(await seen({ host: 'tips.example', cookie })).toBe(401)
  expect(await seen({ host: 'satchel.local', 'sec-fetch-mode': 'navigate', cookie })).toBe(401)
})

it.each<[string, OutgoingHttpHeaders]>([
  ['the public host', { host: 'tips.example' }],
  ['Origin', { origin: 'https://tips.example', host: '127.0.0.1:8788' }],
  ['Fetch Metadata', { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin', host: 'satchel:8788' }],
  ['X-Forwarded-Proto', { 'x-forwarded-proto': 'https', host: 'satchel:8788' }],
  ['Forwarded', { forwarded: 'for=192.0.2.1;proto=https', host: 'satchel:8788' }],
])('a cookie is secure if %s indicates https', async (_, headers) => {
  const { address } = await serve({ publicUrl: 'https://tips.example' })
  const [cookie, ...attributes] = await cookieFrom(address, headers)
  expect(cookie).toMatch(/^__Host-operators=/)
  expect(attributes).toContain('Secure')
})

it('a sign-in ends the earlier session of the same browser', async () => {
  const visitor = await signedIn()
  const before = visitor.cookie
  await visitor.signIn()
  expect(visitor.cookie).not.toBe(before)
  expect((await visitor.other(before).look()).status).toBe(401)
})
