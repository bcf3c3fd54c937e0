import { beforeEach, describe, expect, it } from 'vitest'
import { expectRefusal, ServiceWorld } from '../harness.ts'
import { type Browser, signedIn, words } from '../wallet-page/browser.ts'
import { LogIns, REDIRECT } from './log-in-world.ts'

let world: ServiceWorld
let game: LogIns
let alice: { browser: Browser; userId: string }

beforeEach(async () => {
  world = await ServiceWorld.open()
  game = await LogIns.open(world)
  alice = await signedIn(world, 'alice')
})
describe('a log-in', () => {
  it('asks the user and then sends the program a code, the state and the issuer', async () => {
    const page = await game.ask(alice.browser)
    expect(page.status).toBe(200)
    const shown = words(page)
    for (const said of ['Log in to Space Game', 'your balance', 'Lightning Address', 'send nothing', 'game.example'])
      expect(shown).toContain(said)
    const back = await game.answer(alice.browser, 'allow')
    expect(back.origin + back.pathname).toBe('https://game.example/callback')
    expect(Object.fromEntries(back.searchParams)).toEqual({
      from: 'satchel',
      code: expect.stringMatching(/^satchel_code_[\w-]{43}$/),
      state: 'state of the program & more',
      iss: world.url,
    })
  })

  it('exchanges the code for tokens through a form, JSON and HTTP Basic', async () => {
    const { clientId, clientSecret } = game.program
    const answer = {
      access_token: expect.stringMatching(/^satchel_access_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^satchel_refresh_[\w-]{43}$/),
      refresh_token_expires_in: 2_592_000,
      scope: 'user wallet',
    }
    const form = await game.exchange(await game.code(alice.browser))
    expect([form.status, form.json]).toEqual([200, answer])
    expect([form.headers.get('cache-control'), form.headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
    const body = {
      ...{ grant_type: 'authorization_code', client_id: clientId, client_secret: clientSecret },
      ...{ code: await game.code(alice.browser), redirect_uri: REDIRECT, code_verifier: game.verifier },
    }
    const json = await world.raw('POST', '/v1/oauth2/token', { body })
    expect([json.status, json.json]).toEqual([200, answer])
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const proof = { code: await game.code(alice.browser), redirect_uri: REDIRECT, code_verifier: game.verifier }
    const nobody = { client_id: undefined, client_secret: undefined }
    const basic = await game.token({ grant_type: 'authorization_code', ...nobody, ...proof }, { authorization })
    expect([basic.status, basic.json]).toEqual([200, answer])
  })

  it('accepts scopes separated by commas and asks for the scope user by default', async () => {
    const both = await game.exchange(await game.code(alice.browser, { scope: 'user,wallet' }))
    expect(both.json.scope).toBe('user wallet')
    const none = await game.exchange(await game.code(alice.browser, { scope: undefined }))
    expect(none.json.scope).toBe('user')
  })

  it('continues with refresh tokens after the access token has expired', async () => {
    const first = (await game.exchange(await game.code(alice.browser))).json
    await world.leap(3_601_000)
    expectRefusal(await game.user(first.access_token), 401, 'unknown_user_token')
    const second = await game.refresh(first.refresh_token)
    expect([second.status, second.json.scope]).toEqual([200, 'user wallet'])
    expect((await game.user(second.json.access_token)).json.data.gamertag).toBe('alice')
  })

  it('tells the program that the user refused', async () => {
    const back = await game.answer(alice.browser, 'deny')
    expect(Object.fromEntries(back.searchParams)).toEqual({
      from: 'satchel',
      error: 'access_denied',
      error_description: 'The user does not allow it.',
      state: 'state of the program & more',
      iss: world.url,
    })
  })

  it('waits while a signed-out user signs in', async () => {
    alice.browser.cookie = undefined
    const page = await game.ask(alice.browser)
    expect([page.status, words(page)]).toEqual([401, expect.stringContaining('Space Game waits for your answer')])
    const link = page.root.querySelector('main a.button')?.getAttribute('href')?.replaceAll('&amp;', '&') ?? ''
    const { token } = await world.administration.userToken(alice.userId)
    await alice.browser.open(`/wallet/sign-in?token=${token}`)
    await alice.browser.submit('/wallet/sign-in')
    expect(words(await alice.browser.open(link))).toContain('Log in to Space Game')
  })
})

describe('the metadata for libraries', () => {
  it('states the endpoints’ addresses and that every answer has the parameter iss', async () => {
    const { json } = await world.raw('GET', '/.well-known/oauth-authorization-server')
    expect(json).toMatchObject({
      issuer: world.url,
      authorization_endpoint: `${world.url}/v1/oauth2/authorize`,
      token_endpoint: `${world.url}/v1/oauth2/token`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    })
  })
})

describe('a connected app', () => {
  it('is listed in the settings once for all log-ins and disconnected with one button', async () => {
    const one = (await game.exchange(await game.code(alice.browser))).json
    const other = (await game.exchange(await game.code(alice.browser, { scope: 'user' }))).json
    const waiting = await game.code(alice.browser)
    const page = await alice.browser.open('/wallet/settings')
    expect(page.root.querySelectorAll('form[action="/wallet/disconnect"]')).toHaveLength(1)
    expect(words(page)).toContain('Space Game')
    await alice.browser.submit('/wallet/disconnect')
    expect(words(await alice.browser.open('/wallet/settings'))).not.toContain('Space Game')
    for (const { access_token, refresh_token } of [one, other]) {
      expectRefusal(await game.user(access_token), 401, 'unknown_user_token')
      expect((await game.refresh(refresh_token)).json.error).toBe('invalid_grant')
    }
    expect((await game.exchange(waiting)).json.error).toBe('invalid_grant')
  })

  it('stays connected when the user signs out everywhere, but its unused codes expire', async () => {
    const { access_token: token } = (await game.exchange(await game.code(alice.browser))).json
    const waiting = await game.code(alice.browser)
    await alice.browser.open('/wallet/settings')
    await alice.browser.submit('/wallet/sign-out-everywhere')
    expect((await game.exchange(waiting)).json.error).toBe('invalid_grant')
    expect((await game.user(token)).status).toBe(200)
  })

  it('stays connected when another user disconnects the same program', async () => {
    const bob = await signedIn(world, 'bob')
    const { access_token: token } = (await game.exchange(await game.code(alice.browser))).json
    await game.exchange(await game.code(bob.browser))
    await bob.browser.open('/wallet/settings')
    await bob.browser.submit('/wallet/disconnect')
    expect((await game.user(token)).json.data.gamertag).toBe('alice')
  })

  it('is disconnected for every user when the operator removes it', async () => {
    const { access_token, refresh_token } = (await game.exchange(await game.code(alice.browser))).json
    await world.administration.removeClient(game.program.clientId)
    expectRefusal(await game.user(access_token), 401, 'unknown_user_token')
    expect((await game.refresh(refresh_token)).json.error).toBe('invalid_client')
    expect((await game.open(game.address())).status).toBe(400)
    expect(words(await alice.browser.open('/wallet/settings'))).not.toContain('Space Game')
  })

  it('is forgotten a day after its last token has expired', async () => {
    await game.exchange(await game.code(alice.browser))
    const { read } = world.service.parts.database
    await world.leap(31 * 24 * 3_600_000 + 3_600_000)
    await world.clock.advance(3_600_000)
    await world.until(async () => (await read.logInGrant.count()) + (await read.logInToken.count()) === 0)
    expect(await read.logInCode.count()).toBe(0)
  })
})

describe('a user token', () => {
  it('cannot gain scopes beyond the user’s consent', async () => {
    const { refresh_token } = (await game.exchange(await game.code(alice.browser, { scope: 'user' }))).json
    const more = await game.refresh(refresh_token, { scope: 'user wallet' })
    expect([more.status, more.json.error]).toEqual([400, 'invalid_scope'])
    expect((await game.refresh(refresh_token, { scope: 'user' })).json.scope).toBe('user')
  })
})
