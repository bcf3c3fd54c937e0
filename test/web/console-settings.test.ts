import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Variables } from '../../src/assembly/set-up/ask-node.ts'
import { createSettings } from '../../src/assembly/settings/settings.ts'
import { readEnvFile, Secret } from '../../src/config/config.ts'
import { createEmulator, type Emulator } from '../../src/discord-emulator/emulator.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { TippingWorld } from '../tipping/world.ts'
import { PASSWORD, READ_PASSWORD, serveConsole, type Visitor } from './console-world.ts'

const PAGE = '/console/settings'
const MINUTE_MS = 60_000
const SERVER = '123456789012345678'
const CHANNEL = '223456789012345678'

let discord: Emulator
let world: TippingWorld
let folder: string
let file: string
let log: string[]

beforeAll(async () => {
  discord = await createEmulator({ clock: systemClock, entropy: systemEntropy })
})
afterAll(() => discord.close())
beforeEach(async () => {
  world = await TippingWorld.open()
  folder = mkdtempSync(join(tmpdir(), 'console-settings-'))
  file = join(folder, 'settings.env')
  log = []
  write({ DISCORD_TOKEN: discord.token, HOME_GUILD_ID: SERVER, OPERATORS_CHANNEL_ID: CHANNEL, LOG_LEVEL: 'warn' })
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  await world.close()
})

const write = (variables: Record<string, string>) =>
  writeFileSync(
    file,
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
const stored = () => readEnvFile(file)
const told = async () => (await world.tipping.administration.untoldAlerts(20)).map(({ text }) => text)

async function serve(environment: Variables = {}, apiUrl = discord.restUrl): Promise<Visitor> {
  const { clock } = world
  const runtime = { clock, entropy: systemEntropy }
  const settings = createSettings({ file, environment, runtime, apiUrl, botToken: new Secret(discord.token) })
  const visitor = await serveConsole(world, { settings, log })
  await visitor.signIn()
  return visitor
}

/** What the form that is on the page sends along. */
async function open(visitor: Visitor): Promise<Record<string, string>> {
  const { text } = await visitor.look(PAGE)
  const version = /name="version" value="([^"]+)"/.exec(text)?.[1] ?? 'no such form'
  return { version, form: await visitor.token('settings-change', PAGE) }
}

/** Changes what is filled in, as the form of the page does. */
async function change(visitor: Visitor, fields: Record<string, string>) {
  return await visitor.post('/console/settings-change', { ...(await open(visitor)), ...fields })
}

describe('a setting', () => {
  it('is shown with what is set, except for secrets, and written for the next start', async () => {
    const visitor = await serve()
    const before = (await visitor.look(PAGE)).text
    expect(before).toContain(`name="OPERATORS_CHANNEL_ID" value="${CHANNEL}"`)
    expect(before).toMatch(/name="secret:DISCORD_TOKEN" type="password"[^>]*>\s*<p[^>]*>Set, not shown/)
    const other = '323456789012345678'
    const { status, text } = await change(visitor, { OPERATORS_CHANNEL_ID: other, DISCORD_USER_INSTALL: 'on' })
    expect([status, text]).toEqual([200, expect.stringContaining('It takes effect with the next start')])
    expect(stored()).toEqual({
      ...{ DISCORD_TOKEN: discord.token, HOME_GUILD_ID: SERVER, LOG_LEVEL: 'warn' },
      ...{ OPERATORS_CHANNEL_ID: other, DISCORD_USER_INSTALL: 'on' },
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const after = (await visitor.look(PAGE)).text
    expect(after).toMatch(/2 settings have changed since the start[\s\S]*docker compose restart/)
    expect(before).not.toContain('since the start')
    expect(await told()).toEqual([
      `console:password changed settings in the console, for the next start: OPERATORS_CHANNEL_ID, which is “${other}” now; DISCORD_USER_INSTALL, which is “on” now`,
    ])
    expect(log.join('')).toContain('"operator":"console:password","action":"settings-change","how":"console"')
    for (const shown of [before, after, text, log.join('')]) expect(shown).not.toContain(discord.token)
  })

  it('that is emptied is unset, and one that is left as it was is not written', async () => {
    const visitor = await serve()
    const { text } = await change(visitor, { OPERATORS_CHANNEL_ID: '', 'secret:DISCORD_TOKEN': '' })
    expect(text).toContain('alerts go to the log alone')
    expect(stored()).not.toHaveProperty('OPERATORS_CHANNEL_ID')
    expect(stored()).toHaveProperty('DISCORD_TOKEN', discord.token)
    const again = await change(visitor, { OPERATORS_CHANNEL_ID: '' })
    expect(again).toMatchObject({ status: 422, text: expect.stringContaining('Everything is set like that already') })
  })

  it('that the environment sets is shown with its variable, and stays', async () => {
    write({ DISCORD_TOKEN: discord.token, HOME_GUILD_ID: SERVER })
    const visitor = await serve({
      OPERATORS_CHANNEL_ID: CHANNEL,
      DISCORD_TOKEN_FILE: '/run/secrets/t',
      TRUST_PROXY: '',
    })
    const { text } = await visitor.look(PAGE)
    for (const name of ['OPERATORS_CHANNEL_ID', 'DISCORD_TOKEN_FILE', 'TRUST_PROXY'])
      expect(text).toContain(`Locked: <code>${name}</code> is set in the environment`)
    expect(text).not.toMatch(/name="(OPERATORS_CHANNEL_ID|secret:DISCORD_TOKEN|TRUST_PROXY)"/)
    const before = readFileSync(file, 'utf8')
    const filled = { OPERATORS_CHANNEL_ID: '1', 'secret:DISCORD_TOKEN': 'x', TRUST_PROXY: 'true' }
    for (const [name, value] of Object.entries(filled))
      expect((await change(visitor, { [name]: value })).text).toContain('is set in the environment, which wins')
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it.each([
    ['DATA_FOLDER', '/tmp/x'],
    ['WALLET_KEY_FILE', '/tmp/x'],
    ['TIPPING_DATABASE_URL', 'file:/tmp/x'],
    ['LIGHTNING_BACKEND', 'lnd'],
    ['CUSTODY', 'none'],
    ['DISCORD_API_URL', 'https://discord.example'],
    ['CONSOLE_PASSWORD', 'another long password'],
    ['OPERATORS', 'one'],
    ['HOME_GUILD_ID', CHANNEL],
    ['SERVICE_PUBLIC_URL', 'https://elsewhere.example'],
  ])('%s is not changed by one operator, whatever a form says', async (name, value) => {
    const visitor = await serve()
    const before = readFileSync(file, 'utf8')
    expect((await change(visitor, { [name]: value })).status).toBe(422)
    expect((await change(visitor, { [`secret:${name}`]: value })).status).toBe(422)
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(await told()).toEqual([])
  })

  it.each([
    ['a word', 'general', /OPERATORS_CHANNEL_ID must be a Discord id of 17 to 20 digits/],
    ['a NUL', '12345678901234\u00005678', /OPERATORS_CHANNEL_ID has an invisible character \(U\+0000\)/],
    [
      'a line break',
      `${CHANNEL}\nDATA_FOLDER=/tmp`,
      /OPERATORS_CHANNEL_ID has an invisible character \(U\+000A, a line/,
    ],
    ['too much', '1'.repeat(1_001), /longer than 1000 characters/],
  ])('with %s is refused in words, and stays in the form', async (_, value, words) => {
    const visitor = await serve()
    const before = readFileSync(file, 'utf8')
    const { status, text } = await change(visitor, { OPERATORS_CHANNEL_ID: value })
    expect([status, text]).toEqual([422, expect.stringMatching(words)])
    expect(text).toMatch(new RegExp(`name="OPERATORS_CHANNEL_ID" value="${value.slice(0, 5)}`))
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(log.join('')).not.toContain(discord.token)
  })
})

describe('a new token', () => {
  const renewed = () => `${discord.token.split('.')[0]}.Gx.renewed`

  it('is tried on Discord, and takes the place of the old one and of its file', async () => {
    write({ DISCORD_TOKEN_FILE: '/run/secrets/token', HOME_GUILD_ID: SERVER })
    const { text } = await change(await serve(), { 'secret:DISCORD_TOKEN': discord.token })
    expect(text).toContain('✓ This is the token of')
    expect(stored()).toEqual({ DISCORD_TOKEN: discord.token, HOME_GUILD_ID: SERVER })
    expect(await told()).toEqual([expect.stringMatching(/DISCORD_TOKEN \(a secret\)$/)])
  })

  it('that Discord does not know, or cannot say, is not written, nor shown', async () => {
    const unknown = await change(await serve(), { 'secret:DISCORD_TOKEN': renewed() })
    expect(unknown).toMatchObject({ status: 422, text: expect.stringContaining('Discord does not know this token') })
    const away = await change(await serve({}, 'http://127.0.0.1:9'), { 'secret:DISCORD_TOKEN': renewed() })
    expect(away).toMatchObject({ status: 422, text: expect.stringContaining('Discord could not be asked') })
    for (const shown of [unknown.text, away.text, log.join('')]) expect(shown).not.toContain(renewed())
    expect(stored()).toHaveProperty('DISCORD_TOKEN', discord.token)
  })

  it('of another application is not written', async () => {
    const other = await createEmulator({ clock: systemClock, entropy: systemEntropy })
    try {
      const { text } = await change(await serve({}, other.restUrl), { 'secret:DISCORD_TOKEN': other.token })
      expect(text).toContain('the token of another application')
      expect(stored()).toHaveProperty('DISCORD_TOKEN', discord.token)
    } finally {
      await other.close()
    }
  })

  it('is asked for again, and kept by no page, where the sign-in is too old', async () => {
    write({ DISCORD_TOKEN: renewed(), HOME_GUILD_ID: SERVER })
    const visitor = await serve()
    await world.clock.advance(5 * MINUTE_MS)
    const { status, text } = await change(visitor, { 'secret:DISCORD_TOKEN': discord.token, TRUST_PROXY: 'true' })
    expect([status, text]).toEqual([403, expect.stringContaining('a sign-in of the last five minutes')])
    expect(text).not.toContain(discord.token)
    expect(text).toMatch(/name="secret:DISCORD_TOKEN" type="password"[^>]* required/)
    expect(stored()).not.toHaveProperty('TRUST_PROXY')
    const hidden = [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const kept = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
    const again = { ...kept, 'secret:DISCORD_TOKEN': discord.token, password: PASSWORD }
    expect((await visitor.post('/console/settings-change', again)).text).toContain('✓ Written')
    expect(stored()).toEqual({ DISCORD_TOKEN: discord.token, HOME_GUILD_ID: SERVER, TRUST_PROXY: 'true' })
  })
})

describe('the settings file', () => {
  it('is changed by the first of two browsers; the second is told, and keeps its words', async () => {
    const one = await serve()
    const visitor = one.other(one.cookie)
    const [first, second] = [await open(one), await open(visitor)]
    const path = '/console/settings-change'
    expect((await one.post(path, { ...first, OPERATORS_CHANNEL_ID: SERVER })).status).toBe(200)
    const late = await visitor.post(path, { ...second, TRUST_PROXY: '10.0.0.7' })
    expect(late).toMatchObject({ status: 422, text: expect.stringContaining('was changed meanwhile') })
    expect(late.text).toContain('name="TRUST_PROXY" value="10.0.0.7"')
    expect(stored()).toMatchObject({ OPERATORS_CHANNEL_ID: SERVER })
    expect(stored()).not.toHaveProperty('TRUST_PROXY')
    const version = /name="version" value="([^"]+)"/.exec(late.text)?.[1] ?? ''
    const form = /action="\/console\/settings-change">.*?name="form" value="([^"]+)"/s.exec(late.text)?.[1] ?? ''
    expect((await visitor.post(path, { version, form, TRUST_PROXY: '10.0.0.7' })).status).toBe(200)
    expect(stored()).toMatchObject({ OPERATORS_CHANNEL_ID: SERVER, TRUST_PROXY: '10.0.0.7' })
  })

  it('that was edited by hand meanwhile is not written over', async () => {
    const visitor = await serve()
    const fields = await open(visitor)
    write({ DISCORD_TOKEN: discord.token, HOME_GUILD_ID: SERVER, LOG_LEVEL: 'debug' })
    const { text } = await visitor.post('/console/settings-change', { ...fields, TRUST_PROXY: 'true' })
    expect(text).toContain('was changed meanwhile')
    expect(stored()).toEqual({ DISCORD_TOKEN: discord.token, HOME_GUILD_ID: SERVER, LOG_LEVEL: 'debug' })
  })

  it.each([
    ['in the middle of a name', 'HOME_GUILD_ID=1234\nDISCORD_TOK', /line 2, is not NAME=value/],
    ['in a quote', `DISCORD_TOKEN='abc`, /line 1, opens a quote/],
    ['by a program that writes UTF-16', '\ufeffD\u0000', /is not UTF-8/],
  ])('that was cut %s is named with its line, and what was filled in stays', async (_, content, words) => {
    const visitor = await serve()
    const fields = await open(visitor)
    writeFileSync(file, content)
    expect((await visitor.look(PAGE)).text).toMatch(words)
    const { status, text } = await visitor.post('/console/settings-change', { ...fields, TRUST_PROXY: '10.0.0.7' })
    expect([status, text]).toEqual([422, expect.stringMatching(words)])
    expect(text).toMatch(/What you filled in:[\s\S]*<code>TRUST_PROXY<\/code> 10\.0\.0\.7/)
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  it('that was cut between two lines is not completed: it has no token', async () => {
    const visitor = await serve()
    writeFileSync(file, `HOME_GUILD_ID=${SERVER}\n`)
    const { text } = await change(visitor, { TRUST_PROXY: 'true' })
    expect(text).toMatch(/no DISCORD_TOKEN[\s\S]*\.before-/)
    expect(readFileSync(file, 'utf8')).toBe(`HOME_GUILD_ID=${SERVER}\n`)
  })

  it('that is edited by hand while a token is tried is not written over', async () => {
    const edited = { DISCORD_TOKEN: discord.token, HOME_GUILD_ID: CHANNEL }
    const slow = createServer((_, answer) => {
      write(edited)
      answer.end(JSON.stringify({ id: '1', name: 'Satchel' }))
    })
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void slow.close())
    const visitor = await serve({}, `http://127.0.0.1:${(slow.address() as AddressInfo).port}`)
    const { text } = await change(visitor, { 'secret:DISCORD_TOKEN': `${discord.token.split('.')[0]}.Gx.renewed` })
    expect(text).toContain('was changed meanwhile')
    expect(stored()).toEqual(edited)
  })

  it('that cannot be written stays, and is named with what to do', async () => {
    // Permissions do not bind root, who runs tests in a container; a folder that is in the way does.
    mkdirSync(`${file}.new`)
    const before = readFileSync(file, 'utf8')
    const { status, text } = await change(await serve(), { TRUST_PROXY: 'true' })
    expect([status, text]).toEqual([422, expect.stringMatching(/cannot be written[\s\S]*permission to write/)])
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(await told()).toEqual([])
  })

  it('as it was stays beside it, for its owner alone', async () => {
    const before = readFileSync(file, 'utf8')
    await change(await serve(), { TRUST_PROXY: 'true' })
    const [aside = ''] = readdirSync(folder).filter((name) => name.includes('.before-'))
    expect(readFileSync(join(folder, aside), 'utf8')).toBe(before)
    expect(statSync(join(folder, aside)).mode & 0o777).toBe(0o600)
  })
})

it('shows readers what is set, without secrets and without a form', async () => {
  write({ DISCORD_TOKEN: discord.token, CONSOLE_PASSWORD: 'open wide please', LOG_LEVEL: '<debug>' })
  const environment = { OPERATORS: 'one', TIPPING_DATABASE_URL: 'postgresql://u:p4ss@h/d', HOME: '/root' }
  const visitor = await serve(environment)
  const reader = visitor.other()
  expect((await reader.look(PAGE)).status).toBe(401)
  await reader.signIn(READ_PASSWORD)
  const { text } = await reader.look(PAGE)
  expect(text).toMatch(/<code>OPERATORS<\/code><br>One: me[\s\S]*Locked: <code>OPERATORS<\/code> is set/)
  expect(text).toContain('<code>LOG_LEVEL</code><br>&#60;debug&#62;')
  expect(text).toMatch(
    /<code>TIPPING_DATABASE_URL<\/code><br><span class="small">set, not shown[\s\S]*the books are there/,
  )
  for (const secret of [discord.token, 'open wide', 'p4ss', '/root']) expect(text).not.toContain(secret)
  expect(text).not.toContain('action="/console/')
  expect((await reader.post('/console/settings-change', { form: 'x', TRUST_PROXY: 'true' })).status).toBe(403)
})
