import { expect, onTestFinished, test } from 'vitest'
import { createBot, LINKED_ROLES_POLICY } from '../../src/bot/bot.ts'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { createWebServer, INTERACTIONS_PATH } from '../../src/web/web-server.ts'
import { discordContract } from '../support/discord-openapi.ts'
import { TippingWorld } from '../tipping/world.ts'
import { buttonsOf, textOf } from './lounge.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const PUBLIC = 'https://tips.example.org'
const CALLBACK = `${PUBLIC}/linked-roles/callback`

interface Options {
  readonly offered?: boolean
  readonly redirects?: readonly string[]
  readonly secret?: string
}

/** Starts the bot on the emulator, with its web server and a real book; all share one frozen clock. */
async function startWorld({ offered = true, redirects = [CALLBACK], secret }: Options = {}) {
  const world = await TippingWorld.open({ ownWallets: true })
  onTestFinished(() => world.close())
  const { clock } = world
  const emulator = await createEmulator({ clock, entropy: systemEntropy, requestsPerSecond: 100_000 })
  onTestFinished(() => emulator.close())
  const { people, channels } = seedWorld(emulator, clock.now())
  for (const redirect of redirects) emulator.oauth.redirectUris.add(redirect)
  const said: string[] = []
  const logger = createLogger({ level: 'trace', name: 'bot', destination: { write: (line) => void said.push(line) } })
  const front: { bot?: ReturnType<typeof createBot> } = {}
  const server = await createWebServer({
    ...{ tipping: world.tipping, port: 0, host: '127.0.0.1', clock, logger },
    interactions: { publicKey: emulator.publicKey, hear: async (heard, sent) => await front.bot?.hear(heard, sent) },
    ...(offered && {
      linkedRoles: { pages: () => front.bot?.linkedRoles, policy: LINKED_ROLES_POLICY, publicUrl: PUBLIC },
    }),
  })
  onTestFinished(() => server.close())
  const setting = {
    ...{ clientSecret: () => secret ?? emulator.oauth.clientSecret, entropy: systemEntropy },
    ...{ pageUrl: `${PUBLIC}/linked-roles`, redirectUri: CALLBACK },
  }
  const bot = createBot({
    ...{ token: emulator.token, api: { rest: emulator.restUrl, cdn: emulator.cdnUrl }, tipping: world.tipping },
    ...{ clock, logger, callsPerSecond: 100_000, connection: { gateway: false, publicKey: emulator.publicKey } },
    ...(offered && { linkedRoles: setting }),
  })
  onTestFinished(() => bot.close())
  front.bot = bot
  await bot.ready
  await emulator.setInteractionsEndpoint(server.address + INTERACTIONS_PATH)

  /** Fetches a page as a browser does, slowly enough for the limit on requests. */
  async function get(path: string, headers: Record<string, string> = {}) {
    await clock.advance(2_000)
    const answer = await fetch(server.address + path, { headers, redirect: 'manual' })
    const [cookie = ''] = answer.headers.getSetCookie()
    return { status: answer.status, text: await answer.text(), cookie, location: answer.headers.get('location') ?? '' }
  }
  /** Begins the consent in a browser. Resolves to the address of Discord's page, and the cookie. */
  async function begin() {
    const { location, cookie } = await get('/linked-roles/consent')
    return { page: location, cookie: cookie.split(';')[0] ?? '' }
  }
  const back = (address: string, cookie: string) => get(address.slice(PUBLIC.length), { cookie })
  async function connect(person: string) {
    const { page, cookie } = await begin()
    return await back(emulator.agree(person, page), cookie)
  }
  /** Lets time pass until a round of the bot has made all its requests to Discord. */
  async function pass(ms: number) {
    // Rounds every few seconds for days would show no more than those of the last hour.
    clock.freeze(Math.max(ms - HOUR, 0))
    await clock.advance(Math.min(ms, HOUR))
    await clock.advance(60_000)
    await world.settle()
  }
  const told = (person: string) => emulator.oauth.told.get(person)?.metadata
  const mine = (person: string) => world.tipping.linkedRoles.mine(person)
  return { world, clock, emulator, people, channels, bot, said, get, begin, back, connect, pass, told, mine }
}

test('on startup, the bot registers its linked-roles page and 3 localized records', async () => {
  const { emulator, said } = await startWorld()
  expect(emulator.oauth.records.map(({ key, type }) => [key, type])).toEqual([
    ['sats_given', 2],
    ['tips_given', 2],
    ['member_since', 5],
  ])
  const [first] = emulator.oauth.records as { name_localizations: Record<string, string> }[]
  expect(first?.name_localizations).toMatchObject({
    de: 'Gegebene Sats',
    'es-419': 'Sats dados',
    'zh-TW': expect.any(String),
  })
  const changed = emulator.requests().find(({ method, path }) => method === 'PATCH' && path === '/applications/@me')
  const patches = emulator.requests().filter(({ method }) => method === 'PATCH')
  expect(changed).toBeDefined()
  expect(patches.some(({ body }) => JSON.stringify(body).includes(`${PUBLIC}/linked-roles"`))).toBe(true)
  expect(said.join('')).not.toContain('linked roles do not work yet')
  const contract = discordContract()
  for (const request of emulator.requests()) expect(contract?.faults(request) ?? []).toEqual([])
})

test('linked roles that are not configured have no route, record or log line', async () => {
  const { emulator, bot, said, get } = await startWorld({ offered: false })
  expect(bot.linkedRoles).toBeUndefined()
  expect((await get('/linked-roles')).status).toBe(404)
  expect((await get('/linked-roles/callback?code=1&state=2')).status).toBe(404)
  expect(emulator.oauth.records).toEqual([])
  expect(said.join('')).not.toMatch(/linked roles/i)
})

test('the log names the redirect URL that is missing from Discord’s developer portal', async () => {
  const { said } = await startWorld({ redirects: [] })
  expect(said.join('')).toContain('add this address in the developer portal')
  expect(said.join('')).toContain(CALLBACK)
})

test('Discord gets a member’s figures after the member has consented', async () => {
  const { world, emulator, people, get, begin, back, told, mine } = await startWorld()
  await world.fund(people.alice, 10_000)
  await world.linked(people.bob)
  await world.tip(people.alice, people.bob, '1234')
  const intro = await get('/linked-roles', { 'accept-language': 'de' })
  expect(intro.text).toContain('Discord zeigt sie auch, wenn Ranglisten dich auslassen.')
  const { page, cookie } = await begin()
  const asked = new URL(page)
  expect(asked.origin).toBe(new URL(emulator.restUrl).origin)
  expect(asked.searchParams.get('scope')).toBe('role_connections.write identify')
  expect(asked.searchParams.get('redirect_uri')).toBe(CALLBACK)
  const done = await back(emulator.agree(people.alice, page), cookie)
  expect(done.status).toBe(200)
  expect(done.text).toContain('1,234')
  expect(done.cookie).toMatch(/^linked-roles=; Path=\/linked-roles; Max-Age=0; HttpOnly; SameSite=Lax; Secure$/)
  expect(told(people.alice)).toMatchObject({
    sats_given: '1234',
    tips_given: '1',
    member_since: expect.stringMatching(/^2030-01-01T/),
  })
  expect(await mine(people.alice)).toBeDefined()
})

test('an unclaimed tip does not count toward a member’s linked-role figures', async () => {
  const { world, people, connect, told } = await startWorld()
  await world.fund(people.alice, 10_000)
  await world.linked(people.bob)
  await world.tip(people.alice, people.bob, '1234')
  await world.tip(people.alice, people.carol, '300')
  await connect(people.alice)
  await connect(people.bob)
  // Carol has claimed nothing, so it may still return.
  expect(told(people.alice)).toMatchObject({ sats_given: '1234', tips_given: '1' })
  expect(told(people.bob)).toMatchObject({ sats_given: '0', tips_given: '0' })
})

test('changed linked-role figures are sent to Discord, but at most once an hour', async () => {
  const { world, emulator, people, connect, pass, told } = await startWorld()
  await world.fund(people.alice, 10_000)
  await connect(people.alice)
  const before = told(people.alice)
  const puts = () =>
    emulator.requests().filter(({ method, path }) => method === 'PUT' && path.startsWith('/users/@me/'))
  await world.linked(people.bob)
  await world.tip(people.alice, people.bob, '500')
  await pass(30 * 60_000)
  expect(told(people.alice)).toEqual(before)
  await pass(31 * 60_000)
  await expect.poll(() => told(people.alice)).toMatchObject({ sats_given: '500', tips_given: '1' })
  expect(puts()).toHaveLength(2)
  await pass(HOUR)
  await pass(HOUR)
  expect(puts()).toHaveLength(2)
})

test('the tokens of linked roles are renewed before they expire, and stored encrypted', async () => {
  const { world, people, connect, pass, told, mine } = await startWorld()
  await connect(people.alice)
  const sealed = async () => (await world.database.read.roleConnection.findFirstOrThrow()).sealed
  const before = await sealed()
  expect(before).not.toMatch(/access|refresh|until/)
  await pass(6 * DAY + HOUR)
  await expect.poll(sealed).not.toBe(before)
  await pass(3 * DAY)
  expect(await mine(people.alice)).toBeDefined()
  expect(told(people.alice)).toBeDefined()
})

test('linked roles cannot be connected with a wrong state or another browser’s cookie', async () => {
  const { emulator, people, begin, back, mine, said } = await startWorld()
  const [one, other] = [await begin(), await begin()]
  const address = new URL(emulator.agree(people.alice, one.page))
  const without = await back(address.href, '')
  expect(without.status).toBe(400)
  expect(without.text).toContain('began in another browser')
  expect((await back(address.href, other.cookie)).status).toBe(400)
  const forged = new URL(address)
  forged.searchParams.set('state', `${forged.searchParams.get('state')}x`)
  expect((await back(forged.href, one.cookie)).status).toBe(400)
  const later = new URL(address)
  later.searchParams.set('state', `9${later.searchParams.get('state')?.slice(1)}`)
  expect((await back(later.href, one.cookie)).status).toBe(400)
  expect(await mine(people.alice)).toBeUndefined()
  // None of these attempts used it up.
  expect((await back(address.href, one.cookie)).status).toBe(200)
  expect(said.join('')).not.toContain(address.searchParams.get('code'))
})

test('an attempt to connect linked roles can succeed once, and only within 10 minutes', async () => {
  const { clock, emulator, people, begin, back, mine } = await startWorld()
  const { page, cookie } = await begin()
  const address = emulator.agree(people.alice, page)
  expect((await back(address, cookie)).status).toBe(200)
  expect((await back(address, cookie)).status).toBe(400)
  // Another code does not help: the attempt itself is used up.
  expect((await back(emulator.agree(people.bob, page), cookie)).status).toBe(400)
  expect(await mine(people.bob)).toBeUndefined()
  const slow = await begin()
  await clock.advance(11 * 60_000)
  expect((await back(emulator.agree(people.bob, slow.page), slow.cookie)).text).toContain('10 minutes')
  expect(await mine(people.bob)).toBeUndefined()
})

test('no HTTP request can change where Discord redirects people after their consent', async () => {
  const { emulator, people, get, begin } = await startWorld()
  const asked = await get('/linked-roles/consent?redirect_uri=https://evil.example&state=known')
  const { searchParams } = new URL(asked.location)
  expect(searchParams.get('redirect_uri')).toBe(CALLBACK)
  expect(searchParams.get('state')).not.toBe('known')
  const { page } = await begin()
  const changed = page.replace(encodeURIComponent(CALLBACK), encodeURIComponent('https://evil.example'))
  expect(() => emulator.agree(people.alice, changed)).toThrow('redirect_uri')
})

test('refused or partial consent to linked roles is explained, and nothing is stored', async () => {
  const { emulator, people, begin, back, mine } = await startWorld()
  const first = await begin()
  const state = new URL(first.page).searchParams.get('state') ?? ''
  const denied = await back(`${CALLBACK}?error=access_denied&state=${encodeURIComponent(state)}`, first.cookie)
  expect(denied.text).toContain('You did not agree on Discord')
  expect(denied.text).toContain('Start again')
  const second = await begin()
  const less = new URL(second.page)
  less.searchParams.set('scope', 'identify')
  const incomplete = await back(emulator.agree(people.alice, less.href), second.cookie)
  expect(incomplete.text).toContain('Discord granted fewer permissions than this needs')
  expect(await mine(people.alice)).toBeUndefined()
})

test('a linked-role connection revoked at Discord is deleted at its next update', async () => {
  const { world, emulator, people, connect, pass, mine } = await startWorld()
  await world.fund(people.alice, 10_000)
  await connect(people.alice)
  emulator.oauth.withdraw(people.alice)
  await world.linked(people.bob)
  await world.tip(people.alice, people.bob, '500')
  await pass(HOUR)
  await expect.poll(() => mine(people.alice)).toBeUndefined()
  expect(await world.database.read.roleConnection.count()).toBe(0)
})

test('/privacy shows the linked-role connection, and a button ends it at Discord too', async () => {
  const { emulator, people, channels, bot, connect, told, mine } = await startWorld()
  const alice = emulator.as(people.alice)
  const shown = async () => {
    const handle = alice.run(channels.tips, 'privacy')
    await handle.answered()
    await bot.settled()
    return handle.messages()[0]
  }
  expect(textOf(await shown())).not.toContain('Linked roles')
  await connect(people.alice)
  const card = await shown()
  expect(textOf(card)).toContain('**Linked roles**')
  const button = buttonsOf(card as never).find(({ label }) => label === 'Disconnect linked roles')
  const pressed = alice.press(channels.tips, card?.id ?? '', button?.custom_id ?? '')
  await pressed.answered()
  expect(await mine(people.alice)).toBeUndefined()
  await expect.poll(() => told(people.alice)).toBeUndefined()
  await expect
    .poll(() => emulator.requests().some(({ path, status }) => path === '/oauth2/token/revoke' && status === 200))
    .toBe(true)
})

test('an export omits the linked-role token, and deleting the data ends the connection', async () => {
  const { world, people, connect, told, mine } = await startWorld()
  await connect(people.alice)
  const { sealed } = await world.database.read.roleConnection.findFirstOrThrow()
  const exported = JSON.stringify(await world.tipping.privacy.export(people.alice))
  expect(exported).toContain('"linkedRoles":[{')
  expect(exported).not.toContain(sealed)
  await world.tipping.privacy.forget(people.alice)
  expect(await mine(people.alice)).toBeUndefined()
  await expect.poll(() => told(people.alice)).toBeUndefined()
})

test('with a wrong application secret, nobody can connect, and the log says why', async () => {
  const { said, connect, people, mine } = await startWorld({ secret: 'a-secret-of-another-application' })
  const answer = await connect(people.alice)
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('Discord does not answer right now')
  expect(await mine(people.alice)).toBeUndefined()
  expect(said.join('')).toContain('Discord does not accept DISCORD_CLIENT_SECRET')
})

test('no secret, code, state or token for linked roles appears in the log', async () => {
  const { world, clock, emulator, people, begin, back, said } = await startWorld()
  const { page, cookie } = await begin()
  const address = emulator.agree(people.alice, page)
  emulator.faults.failNext(500, { path: /role-connection$/ } as never)
  await back(address, cookie)
  await back(address, cookie)
  await clock.advance(2 * HOUR)
  const [connected] = await world.tipping.linkedRoles.takeDue(1)
  const tokens = connected === undefined ? [] : (Object.values(JSON.parse(connected.tokens)) as unknown[])
  const { searchParams } = new URL(address)
  const secrets = [
    emulator.oauth.clientSecret,
    searchParams.get('code'),
    searchParams.get('state'),
    cookie.split('=')[1],
  ]
  for (const secret of [...secrets, ...tokens.filter((token) => typeof token === 'string')]) {
    expect(String(secret).length).toBeGreaterThan(20)
    expect(said.join('')).not.toContain(secret)
  }
})
