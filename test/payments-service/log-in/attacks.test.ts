import { beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/logger.ts'
import { closeToWallets } from '../../../src/payments-service/administration/after-restore.ts'
import { ServiceWorld } from '../harness.ts'
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
const invalidGrant = { status: 400, error: 'invalid_grant' }
const outcome = ({ status, json }: { status: number; json: { error?: string } }) => ({ status, error: json.error })

describe('a log-in code', () => {
  it('works once, and a second use ends the log-in that the first use began', async () => {
    const code = await game.code(alice.browser)
    const { access_token, refresh_token } = (await game.exchange(code)).json
    expect((await game.user(access_token)).status).toBe(200)
    expect(outcome(await game.exchange(code))).toEqual(invalidGrant)
    expect((await game.user(access_token)).json.code).toBe('unknown_user_token')
    expect(outcome(await game.refresh(refresh_token))).toEqual(invalidGrant)
  })

  it('yields one token pair for 100 simultaneous requests, which also end the log-in', async () => {
    const code = await game.code(alice.browser)
    const answers = await Promise.all(Array.from({ length: 100 }, () => game.exchange(code)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect((await game.user(won[0]?.json.access_token)).status).toBe(401)
  })

  it.each([
    ['no verifier', { code_verifier: undefined }, 'invalid_request'],
    ['a verifier that is too short', { code_verifier: 'short' }, 'invalid_request'],
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['the challenge as verifier', { code_verifier: 'CHALLENGE' }, 'invalid_grant'],
    ['another address', { redirect_uri: 'https://game.example/callback' }, 'invalid_grant'],
    ['no address', { redirect_uri: undefined }, 'invalid_request'],
    ['a wrong secret', { client_secret: 'satchel_client_wrong' }, 'invalid_client'],
    ['no secret', { client_secret: undefined }, 'invalid_client'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no grant type', { grant_type: undefined }, 'invalid_request'],
  ])('yields no tokens for a request with %s', async (_what, fields: Record<string, string | undefined>, error) => {
    const code = await game.code(alice.browser)
    const given = fields.code_verifier === 'CHALLENGE' ? { code_verifier: game.challenge } : fields
    const answer = await game.exchange(code, given)
    expect(answer.json).toMatchObject({ error, error_description: expect.stringMatching(/\w/), success: false })
    expect(answer.json.access_token).toBeUndefined()
  })

  it('is used up by a wrong verifier', async () => {
    const code = await game.code(alice.browser)
    await game.exchange(code, { code_verifier: 'x'.repeat(43) })
    expect(outcome(await game.exchange(code))).toEqual(invalidGrant)
  })

  it('expires after one minute', async () => {
    const code = await game.code(alice.browser)
    await world.leap(60_000)
    expect(outcome(await game.exchange(code))).toEqual(invalidGrant)
  })

  it('yields no tokens to another program and is used up by the attempt', async () => {
    const code = await game.code(alice.browser)
    const other = await LogIns.open(world)
    expect(outcome(await other.exchange(code, { code_verifier: game.verifier }))).toEqual(invalidGrant)
    expect(outcome(await game.exchange(code))).toEqual(invalidGrant)
  })
})

describe('a refresh token', () => {
  const begin = async () => (await game.exchange(await game.code(alice.browser))).json

  it('ends the log-in of both the thief and the program if it is used twice', async () => {
    const first = await begin()
    const second = (await game.refresh(first.refresh_token)).json
    expect(outcome(await game.refresh(first.refresh_token))).toEqual(invalidGrant)
    expect(outcome(await game.refresh(second.refresh_token))).toEqual(invalidGrant)
    expect((await game.user(second.access_token)).json.code).toBe('unknown_user_token')
  })

  it('yields one token pair for 100 simultaneous requests, which also end the log-in', async () => {
    const { refresh_token } = await begin()
    const answers = await Promise.all(Array.from({ length: 100 }, () => game.refresh(refresh_token)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(outcome(await game.refresh(won[0]?.json.refresh_token))).toEqual(invalidGrant)
  })

  it('yields no tokens to another program, and the attempt ends the log-in', async () => {
    const { refresh_token, access_token } = await begin()
    const other = await LogIns.open(world)
    expect(outcome(await other.refresh(refresh_token))).toEqual(invalidGrant)
    expect((await game.user(access_token)).status).toBe(401)
  })

  it('cannot be replaced by an access token', async () => {
    const { access_token } = await begin()
    expect(outcome(await game.refresh(access_token))).toEqual(invalidGrant)
  })

  it('expires after 30 days without use', async () => {
    const { refresh_token } = await begin()
    await world.leap(30 * 24 * 3_600_000)
    expect(outcome(await game.refresh(refresh_token))).toEqual(invalidGrant)
  })
})

describe('the consent page', () => {
  it('refuses a form from another site and a form without the signed-in user’s token', async () => {
    const bob = await signedIn(world, 'bob')
    await game.ask(bob.browser)
    const foreign = bob.browser.fieldsOf('/wallet/log-in')
    await game.ask(alice.browser)
    const good = { ...alice.browser.fieldsOf('/wallet/log-in'), answer: 'allow' }
    const tries: [Record<string, string>, Record<string, string>][] = [
      [good, { 'sec-fetch-site': 'cross-site' }],
      [good, { 'sec-fetch-site': 'same-site' }],
      [{ ...good, token: '' }, {}],
      [{ ...good, token: foreign.token ?? '' }, {}],
    ]
    for (const [fields, headers] of tries) {
      const answer = await game.send(alice.browser, new URLSearchParams(fields), headers)
      expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
    }
    const answer = await game.send(alice.browser, new URLSearchParams(good), { 'content-type': 'text/plain' })
    expect(answer.status).toBe(415)
    expect(await world.service.parts.database.read.logInCode.count()).toBe(0)
  })

  it('forbids framing, caching and sending the referrer to other sites', async () => {
    for (const page of [await game.ask(alice.browser), await game.open(game.address())]) {
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(page.headers.get('x-frame-options')).toBe('DENY')
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(page.headers.get('referrer-policy')).toBe('same-origin')
    }
    await game.ask(alice.browser)
    const body = new URLSearchParams({ ...alice.browser.fieldsOf('/wallet/log-in'), answer: 'allow' })
    const back = await game.send(alice.browser, body)
    expect([back.status, back.headers.get('referrer-policy')]).toEqual([303, 'same-origin'])
  })

  it('shows the name of a program as text', async () => {
    const name = `"><script>alert(1)</script>`
    const about = { name, redirectUris: [REDIRECT] }
    game.program = await world.administration.createClient(game.project.projectId, about)
    const page = await game.ask(alice.browser, { scope: 'user' })
    expect(words(page)).toContain('<script>alert(1)</script>')
    expect(page.root.querySelectorAll('script')).toHaveLength(1)
  })

  it('grants access only if the submitted answer is exactly “allow”', async () => {
    await game.ask(alice.browser)
    const fields = alice.browser.fieldsOf('/wallet/log-in')
    for (const answer of ['', 'yes', 'Allow']) {
      const back = await game.send(alice.browser, new URLSearchParams({ ...fields, answer }))
      expect(back.headers.get('location')).toContain('error=access_denied')
    }
  })
})

describe('the service’s data and logs', () => {
  it('contain no code, token or secret except as hashes in the book', async () => {
    const lines: string[] = []
    await world.close()
    const destination = { write: (line: string) => void lines.push(line) }
    const logger = createLogger({ level: 'trace', name: 'service', destination })
    world = await ServiceWorld.open({ logger })
    game = await LogIns.open(world)
    alice = await signedIn(world, 'alice')
    const code = await game.code(alice.browser)
    const { access_token, refresh_token } = (await game.exchange(code)).json
    await game.user(access_token)
    await game.refresh('satchel_refresh_unknown')
    const { read } = world.service.parts.database
    const rows = await Promise.all([
      read.logInClient.findMany(),
      read.logInCode.findMany(),
      read.logInGrant.findMany(),
      read.logInToken.findMany(),
      read.idempotencyKey.findMany(),
    ])
    const kept = JSON.stringify(rows) + lines.join('\n')
    expect(rows[3]).toHaveLength(2)
    expect(lines.join('')).toContain('/v1/oauth2/token')
    for (const secret of [code, access_token, refresh_token, game.program.clientSecret ?? '', game.verifier])
      expect(kept).not.toContain(secret.slice(-43))
  })

  it('contain no valid log-ins after a restore, since some may have ended meanwhile', async () => {
    const waiting = await game.code(alice.browser)
    const { access_token, refresh_token } = (await game.exchange(await game.code(alice.browser))).json
    const { database } = world.service.parts
    expect((await closeToWallets(database, new Date(world.clock.now()))).logIns).toBe(1)
    expect((await game.user(access_token)).status).toBe(401)
    expect(outcome(await game.refresh(refresh_token))).toEqual(invalidGrant)
    expect(outcome(await game.exchange(waiting))).toEqual(invalidGrant)
  })

  it('let a log-in continue after a restart at each of its steps', async () => {
    const code = await game.code(alice.browser)
    await world.restart()
    const tokens = (await game.exchange(code)).json
    await world.restart()
    expect((await game.user(tokens.access_token)).status).toBe(200)
    expect((await game.refresh(tokens.refresh_token)).status).toBe(200)
  })
})
