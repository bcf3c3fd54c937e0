import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ServiceWorld } from '../harness.ts'
import { type Browser, signedIn } from '../wallet-page/browser.ts'
import { LogIns, REDIRECT } from './log-in-world.ts'

let world: ServiceWorld
let game: LogIns
let alice: { browser: Browser; userId: string }

// What is refused leaves the service as it was.
beforeAll(async () => {
  world = await ServiceWorld.open()
  game = await LogIns.open(world)
  alice = await signedIn(world, 'alice')
})
afterAll(() => world.close())

const outcome = ({ status, json }: { status: number; json: { error?: string } }) => ({ status, error: json.error })

describe('a redirect that is not registered', () => {
  it.each([
    ['another host', 'https://evil.example/callback?from=satchel'],
    ['another path', 'https://game.example/callback/x?from=satchel'],
    ['a path with ..', 'https://game.example/callback/../callback?from=satchel'],
    ['another query', 'https://game.example/callback?from=satchel&x=1'],
    ['no query', 'https://game.example/callback'],
    ['upper case', 'https://GAME.example/callback?from=satchel'],
    ['another port', 'https://game.example:443/callback?from=satchel'],
    ['http', 'http://game.example/callback?from=satchel'],
    ['a host before it', 'https://game.example@evil.example/callback?from=satchel'],
    ['a host after it', 'https://game.example.evil.example/callback?from=satchel'],
    ['a fragment', `${REDIRECT}#x`],
    ['a script', 'javascript:alert(1)'],
    ['a relative path', '/callback?from=satchel'],
    ['a space after it', `${REDIRECT} `],
    ['two addresses in one', `${REDIRECT}\nhttps://evil.example`],
    ['an empty redirect', undefined],
  ])('is refused with an explanation and without a link to it (%s)', async (_what, redirect_uri) => {
    const { status, location, text } = await game.open(game.address({ redirect_uri }))
    expect([status, location]).toEqual([400, undefined])
    expect(text).toContain('not registered for it')
    expect(text).not.toMatch(/(?:href|src|action|content)="[^"]*evil/)
  })

  it('is refused in the submitted form even if the page’s redirect was registered', async () => {
    await game.ask(alice.browser)
    const fields = alice.browser.fieldsOf('/wallet/log-in')
    const request = (fields.request ?? '').replace('game.example', 'evil.example')
    const answer = await game.send(alice.browser, new URLSearchParams({ ...fields, request, answer: 'allow' }))
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })

  it('is refused even if the request also contains a registered redirect', async () => {
    const twice = `${game.address()}&${new URLSearchParams({ redirect_uri: 'https://evil.example' })}`
    expect((await game.open(twice)).location).toBeUndefined()
  })
})

describe('an unregistered program', () => {
  it.each([['unknown'], [''], ['\0'], ['\ud800'], ['x'.repeat(2_000)]])(
    'is refused with an explanation and without a redirect (%j)',
    async (client_id) => {
      const { status, location, text } = await game.open(game.address({ client_id }))
      expect([status, location]).toEqual([400, undefined])
      expect(text).toContain('not registered with this service')
    },
  )
})

describe('an invalid request for a log-in', () => {
  const plain = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
  it.each([
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['no challenge method, which would mean plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain', code_challenge: plain }, 'invalid_request'],
    ['a challenge that is not a SHA-256', { code_challenge: 'short' }, 'invalid_request'],
    ['the response type “token”', { response_type: 'token' }, 'unsupported_response_type'],
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['an unknown scope', { scope: 'user send' }, 'invalid_scope'],
    ['an overlong state', { state: 'x'.repeat(2_001) }, 'invalid_request'],
  ])('with %s is reported to the program without asking the user', async (_what, fields, error) => {
    const { status, location } = await game.open(game.address(fields))
    expect(status).toBe(303)
    expect(location?.host).toBe('game.example')
    expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({ error, iss: world.url })
    expect(location?.searchParams.get('code')).toBeNull()
  })

  it('is refused and its state is returned if a parameter appears twice', async () => {
    const { location } = await game.open(`${game.address()}&scope=wallet`)
    expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({
      error: 'invalid_request',
      state: 'state of the program & more',
    })
  })

  it('is refused if it asks for more than the operator permits', async () => {
    const narrow = await LogIns.open(world)
    const about = { name: 'Profile alone', redirectUris: [REDIRECT] }
    narrow.program = await world.administration.createClient(narrow.project.projectId, about)
    const { location } = await narrow.open(narrow.address({ scope: 'user wallet' }))
    expect(location?.searchParams.get('error')).toBe('invalid_scope')
  })
})

describe('a program with a loopback address', () => {
  const LOOPBACK = 'http://127.0.0.1/callback'
  let game: LogIns
  beforeEach(async () => {
    game = await LogIns.open(world, { isPublic: true, redirectUris: [LOOPBACK, 'http://localhost:3000/cb'] })
  })

  it('logs in with PKCE alone and on any port if it is public', async () => {
    const redirect_uri = 'http://127.0.0.1:51004/callback'
    const code = await game.code(alice.browser, { redirect_uri })
    expect((await game.exchange(code, { redirect_uri })).status).toBe(200)
  })

  it.each([
    'http://127.0.0.1:51004/other',
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.2:51004/callback',
    'http://127.0.0.1:1@evil.example/callback',
    'http://localhost:3001/cb',
    'http://[::1]:51004/callback',
  ])('receives no redirect at another address if it is public (%s)', async (redirect_uri) => {
    expect((await game.open(game.address({ redirect_uri }))).location).toBeUndefined()
  })

  it('is refused if it is public but sends a secret', async () => {
    const redirect_uri = LOOPBACK
    const code = await game.code(alice.browser, { redirect_uri })
    const answer = await game.exchange(code, { redirect_uri, client_secret: 'guess' })
    expect(outcome(answer)).toEqual({ status: 401, error: 'invalid_client' })
  })

  it('must use its exact address if it has a secret', async () => {
    const confidential = await LogIns.open(world, { redirectUris: [LOOPBACK] })
    const redirect_uri = 'http://127.0.0.1:51004/callback'
    expect((await confidential.open(confidential.address({ redirect_uri }))).location).toBeUndefined()
  })
})

describe('the token endpoint', () => {
  const post = (text: string, type: string) =>
    world.raw('POST', '/v1/oauth2/token', { text, headers: { 'content-type': type } })

  it.each([
    ['text/plain', 'grant_type=x', 415],
    ['multipart/form-data; boundary=x', '--x--', 415],
    [';;', 'client_id=x', 415],
    ['form', 'client_id=x', 415],
    ['application/json', '{', 400],
    ['application/json', '[]', 400],
    ['application/json', 'null', 400],
    ['application/json', '', 400],
    ['application/json', '{"grant_type":{"a":1},"client_id":"x"}', 400],
    ['application/json', '{"client_id":"\\u0000"}', 401],
    ['application/x-www-form-urlencoded', 'client_id=%00&grant_type=x', 401],
    ['application/json', '{"client_id":"x","__proto__":{"client_secret":"x"}}', 401],
    ['application/x-www-form-urlencoded', '', 400],
    ['application/x-www-form-urlencoded', 'client_id=a&client_id=b', 400],
    ['application/x-www-form-urlencoded', `code=${'x'.repeat(20_000)}`, 413],
  ])('refuses an unreadable request of the type %s with an explanation (%#)', async (type, text, status) => {
    const answer = await post(text, type)
    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ error: expect.stringMatching(/^invalid_(request|client)$/), success: false })
  })

  it('accepts only POST and ignores parameters in the URL', async () => {
    expect((await world.raw('GET', '/v1/oauth2/token?code=x')).status).toBe(405)
    const code = await game.code(alice.browser)
    const inAddress = await world.raw('POST', `/v1/oauth2/token?code=${code}`, {
      text: new URLSearchParams({ client_id: game.program.clientId }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(inAddress.status).toBe(401)
    expect((await game.exchange(code)).status).toBe(200)
  })

  it('refuses two secrets or two programs in one request', async () => {
    const { clientId, clientSecret } = game.program
    const basic = (id: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${clientSecret}`).toString('base64')}`,
    })
    const code = await game.code(alice.browser)
    const both = await game.token({ grant_type: 'authorization_code', code }, basic(clientId))
    const other = await game.token({ grant_type: 'authorization_code', client_secret: undefined }, basic('other'))
    expect([outcome(both).error, outcome(other).error]).toEqual(['invalid_request', 'invalid_request'])
    const unknown = { grant_type: 'refresh_token', client_id: undefined, client_secret: undefined }
    const wrong = await game.token(unknown, basic('other'))
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="log in"'])
  })
})
