import { expect, onTestFinished, test } from 'vitest'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { ManualClock } from '../support/manual-clock.ts'

const REDIRECT = 'https://tips.example.org/linked-roles/callback'

async function start() {
  const clock = new ManualClock()
  const emulator = await createEmulator({ clock, entropy: systemEntropy, requestsPerSecond: 100_000 })
  onTestFinished(() => emulator.close())
  const { people } = seedWorld(emulator, clock.now())
  emulator.oauth.redirectUris.add(REDIRECT)
  const { applicationId, oauth } = emulator
  const page = (change: Record<string, string> = {}) => {
    const asked = { client_id: applicationId, redirect_uri: REDIRECT, response_type: 'code', state: 'state' }
    const query = new URLSearchParams({ ...asked, scope: 'role_connections.write identify', ...change })
    return `https://discord.com/oauth2/authorize?${query}`
  }
  const code = (change?: Record<string, string>) =>
    new URL(emulator.agree(people.alice, page(change))).searchParams.get('code') ?? ''
  async function ask(method: string, path: string, body?: URLSearchParams | object, authorization?: string) {
    const isForm = body instanceof URLSearchParams
    const headers = {
      ...(body !== undefined && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
      ...(authorization !== undefined && { authorization }),
    }
    const sent = body === undefined || isForm ? String(body ?? '') : JSON.stringify(body)
    const answer = await fetch(`${emulator.restUrl}/v10${path}`, {
      ...{ method, headers },
      ...(body !== undefined && { body: sent }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const token = (form: Record<string, string>) =>
    ask(
      'POST',
      '/oauth2/token',
      new URLSearchParams({ client_id: applicationId, client_secret: oauth.clientSecret, ...form }),
    )
  const forCode = (value: string, change: Record<string, string> = {}) =>
    token({ grant_type: 'authorization_code', code: value, redirect_uri: REDIRECT, ...change })
  return { clock, emulator, people, page, code, ask, token, forCode }
}

test('the consent page accepts only redirect URLs registered in the developer portal', async () => {
  const { emulator, people, page } = await start()
  for (const redirect_uri of [`${REDIRECT}/`, 'https://evil.example', ''])
    expect(() => emulator.agree(people.alice, page({ redirect_uri }))).toThrow('redirect_uri')
  expect(() => emulator.agree(people.alice, page({ client_id: '1' }))).toThrow('Unknown Application')
})

test('an OAuth code works once, within a minute, with the right secret and redirect', async () => {
  const { clock, code, forCode, token } = await start()
  const first = code()
  expect(await forCode(first, { client_secret: 'wrong' })).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  })
  expect(await forCode(first)).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 604_800 } })
  expect(await forCode(first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect((await forCode(code(), { redirect_uri: 'https://evil.example' })).status).toBe(400)
  const late = code()
  await clock.advance(61_000)
  expect((await forCode(late)).status).toBe(400)
  expect((await token({ grant_type: 'password' })).body).toEqual({ error: 'unsupported_grant_type' })
})

test('a refresh token works once', async () => {
  const { code, forCode, token } = await start()
  const { body } = await forCode(code())
  const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
  expect((await token(refresh)).status).toBe(200)
  expect(await token(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('a role connection needs its scope, known records and values of the right types', async () => {
  const { emulator, code, forCode, ask } = await start()
  const bot = `Bot ${emulator.token}`
  const records = `/applications/${emulator.applicationId}/role-connections/metadata`
  const record = { type: 2, key: 'sats_given', name: 'Sats', description: 'Sats given' }
  expect((await ask('PUT', records, Array(6).fill(record), bot)).status).toBe(400)
  expect((await ask('PUT', records, [{ ...record, key: 'Sats given' }], bot)).status).toBe(400)
  expect((await ask('PUT', records, [record], bot)).status).toBe(200)
  const path = `/users/@me/applications/${emulator.applicationId}/role-connection`
  const { body } = await forCode(code())
  const bearer = `Bearer ${body.access_token}`
  const put = (metadata: object, authorization = bearer) => ask('PUT', path, { metadata }, authorization)
  expect((await put({ sats_given: '5' })).status).toBe(200)
  expect((await put({ sats_given: 'five' })).status).toBe(400)
  expect((await put({ sats_given: 5 })).status).toBe(400)
  expect((await put({ other: '5' })).status).toBe(400)
  expect((await put({ sats_given: '5' }, bot)).status).toBe(401)
  const { body: less } = await forCode(code({ scope: 'identify' }))
  expect((await put({ sats_given: '5' }, `Bearer ${less.access_token}`)).status).toBe(403)
  emulator.oauth.withdraw([...emulator.oauth.told.keys()][0] ?? '')
  expect((await put({ sats_given: '5' })).status).toBe(401)
})
