import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { ServiceWorld } from '../harness.ts'
import { signedIn } from '../wallet-page/browser.ts'
import { LogIns, REDIRECT } from './log-in-world.ts'

let world: ServiceWorld

beforeEach(async () => {
  world = await ServiceWorld.open()
})
describe('a redirect address that almost matches a registered address', () => {
  it('is refused without a redirect', async () => {
    const game = await LogIns.open(world)
    const almost = [
      'https://game.example/callback/?from=satchel',
      'https://game.example/Callback?from=satchel',
      'https://game.example/%63allback?from=satchel',
      'https://game.example//callback?from=satchel',
      'https://game.example/callback;x?from=satchel',
      'https://game.example/callback?from=%73atchel',
      'https://game.example/callback?from=satchel&',
      'https://game.example/callback?FROM=satchel',
      'https://game.example:8443/callback?from=satchel',
      'https://game.example./callback?from=satchel',
      'https://user@game.example/callback?from=satchel',
      'https://game.example\\@evil.example/callback?from=satchel',
      'https://gаme.example/callback?from=satchel',
      'https:/game.example/callback?from=satchel',
      '//game.example/callback?from=satchel',
      `\t${REDIRECT}`,
      `${REDIRECT}\r\nSet-Cookie: x=1`,
      `${REDIRECT},https://evil.example`,
    ]
    for (const redirect_uri of almost) {
      const { status, location } = await game.open(game.address({ redirect_uri }))
      expect([status, location], redirect_uri).toEqual([400, undefined])
    }
    expect((await game.open(game.address())).status).toBe(200)
  })

  it('is refused without a redirect if the registered address is on this machine', async () => {
    const game = await LogIns.open(world, { isPublic: true, redirectUris: ['http://127.0.0.1/callback'] })
    const almost = [
      'http://localhost/callback',
      'http://localhost:4000/callback',
      'https://127.0.0.1/callback',
      'http://127.1/callback',
      'http://2130706433/callback',
      'http://0x7f.0.0.1/callback',
      'http://0.0.0.0:4000/callback',
      'http://[::ffff:127.0.0.1]:4000/callback',
      'http://127.0.0.1.evil.example/callback',
      'http://user@127.0.0.1:4000/callback',
      'http://127.0.0.1:4000/callback/',
      'http://127.0.0.1:4000/callback?x=1',
      'http://127.0.0.1:4000/callback#x',
      'http://127.0.0.1:4000/../callback',
      'http://127.0.0.1:0/callback',
      'http://127.0.0.1:/callback',
      'http://127.0.0.1:80x/callback',
    ]
    for (const redirect_uri of almost) {
      const { status, location } = await game.open(game.address({ redirect_uri }))
      expect([status, location], redirect_uri).toEqual([400, undefined])
    }
    expect((await game.open(game.address({ redirect_uri: 'http://127.0.0.1:4000/callback' }))).status).toBe(200)
  })
})

describe('a code verifier', () => {
  it.each([
    ['42 letters long', 'v'.repeat(42)],
    ['129 letters long', 'v'.repeat(129)],
    ['written with an invalid character', `${'v'.repeat(42)}+`],
    ['written with a non-ASCII letter', `${'v'.repeat(42)}ü`],
    ['followed by a space', `${'v'.repeat(43)} `],
  ])('is refused if it is %s', async (_what, code_verifier) => {
    const game = await LogIns.open(world)
    const alice = await signedIn(world, 'alice')
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
    const code = await game.code(alice.browser, { code_challenge })
    expect(await game.exchange(code, { code_verifier })).toMatchObject({
      status: 400,
      json: { error: 'invalid_request' },
    })
  })

  it('is accepted if it has 128 characters', async () => {
    const game = await LogIns.open(world)
    const alice = await signedIn(world, 'alice')
    const code_verifier = 'v'.repeat(128)
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
    expect((await game.exchange(await game.code(alice.browser, { code_challenge }), { code_verifier })).status).toBe(
      200,
    )
  })
})

describe('a user token', () => {
  it('is accepted only in its own header, not in the URL or another header', async () => {
    const game = await LogIns.open(world)
    const alice = await signedIn(world, 'alice')
    const { access_token: token } = (await game.exchange(await game.code(alice.browser))).json
    const { apiKey } = game.project
    const asked = await Promise.all([
      world.raw('GET', `/v1/oauth2/user?usertoken=${token}`, { apiKey }),
      world.raw('GET', '/v1/oauth2/user', { apiKey, headers: { authorization: `Bearer ${token}` } }),
      world.raw('GET', `/v1/oauth2/user?apikey=${apiKey}`, { headers: { usertoken: token } }),
    ])
    expect(asked.map(({ status }) => status)).toEqual([401, 401, 401])
    expect((await game.user(token)).status).toBe(200)
  })

  it('is granted only by the button, not by a URL parameter', async () => {
    const game = await LogIns.open(world)
    const alice = await signedIn(world, 'alice')
    const query = game.address().split('?')[1]
    const page = await alice.browser.open(`/wallet/log-in?${query}&answer=allow&prompt=none`)
    expect([page.status, page.root.querySelectorAll('button[value=allow]').length]).toEqual([200, 1])
    expect(await world.service.parts.database.read.logInCode.count()).toBe(0)
  })

  it('still has only the requested scope after a refresh', async () => {
    const game = await LogIns.open(world)
    const alice = await signedIn(world, 'alice')
    const { access_token, refresh_token } = (await game.exchange(await game.code(alice.browser, { scope: 'user' })))
      .json
    const refused = { status: 403, json: { code: 'missing_user_scope' } }
    expect(await game.user(access_token, game.project, 'wallet')).toMatchObject(refused)
    const next = (await game.refresh(refresh_token)).json
    expect(await game.user(next.access_token, game.project, 'wallet')).toMatchObject(refused)
    expect(await game.user(next.refresh_token)).toMatchObject({ status: 401, json: { code: 'unknown_user_token' } })
  })
})
