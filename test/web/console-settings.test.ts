import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkChannel } from '../../src/assembly/set-up/check-channel.ts'
import { createEmulator, type Emulator } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { PASSWORD, READ_PASSWORD } from './console-world.ts'
import { answering, CHANNEL, fill, MINUTE_MS, open, PAGE, SERVER, SettingsWorld } from './settings-world.ts'

let discord: Emulator
let around: SettingsWorld

beforeAll(async () => {
  discord = await createEmulator({ clock: systemClock, entropy: systemEntropy })
})
afterAll(() => discord.close())
beforeEach(async () => {
  around = await SettingsWorld.open(discord)
})
afterEach(() => around.close())

describe('a setting in the console', () => {
  it('is shown unless it is secret, and is written for the next start', async () => {
    const visitor = await around.serve()
    const before = (await visitor.look(PAGE)).text
    expect(before).toContain(`name="OPERATORS_CHANNEL_ID" value="${CHANNEL}"`)
    expect(before).toMatch(/name="secret:DISCORD_TOKEN" type="password"[^>]*>\s*<p[^>]*>Set, not shown/)
    const other = '323456789012345678'
    const { status, text } = await fill(visitor, 'change', { OPERATORS_CHANNEL_ID: other, DISCORD_USER_INSTALL: 'on' })
    expect([status, text]).toEqual([200, expect.stringContaining('It takes effect with the next start')])
    expect(around.stored()).toEqual({
      ...{ DISCORD_TOKEN: discord.token, HOME_GUILD_ID: SERVER, LOG_LEVEL: 'warn' },
      ...{ OPERATORS_CHANNEL_ID: other, DISCORD_USER_INSTALL: 'on' },
    })
    expect(statSync(around.file).mode & 0o777).toBe(0o600)
    const after = (await visitor.look(PAGE)).text
    expect(after).toMatch(/2 settings have changed since the start[\s\S]*docker compose restart/)
    expect(before).not.toContain('since the start')
    expect(await around.told()).toEqual([
      `console:password changed settings for the next start: OPERATORS_CHANNEL_ID: “${other}”; DISCORD_USER_INSTALL: “on”`,
    ])
    expect(around.log.join('')).toContain('"operator":"console:password","action":"settings-change","how":"console"')
    for (const shown of [before, after, text, around.log.join('')]) expect(shown).not.toContain(discord.token)
  })

  it('is unset if its field is emptied, and not written if it is unchanged', async () => {
    const visitor = await around.serve()
    const { text } = await fill(visitor, 'change', { OPERATORS_CHANNEL_ID: '', 'secret:DISCORD_TOKEN': '' })
    expect(text).toContain('alerts go to the log alone')
    expect(around.stored()).not.toHaveProperty('OPERATORS_CHANNEL_ID')
    expect(around.stored()).toHaveProperty('DISCORD_TOKEN', discord.token)
    const again = await fill(visitor, 'change', { OPERATORS_CHANNEL_ID: '' })
    expect(again).toMatchObject({
      status: 422,
      text: expect.stringContaining('The settings already have these values'),
    })
  })

  it('is shown with its variable, and cannot be changed, if the environment sets it', async () => {
    // All of it is right for a start, so that nothing but the lock refuses a change.
    around.write({ HOME_GUILD_ID: SERVER })
    const tokenFile = join(around.folder, 'token')
    writeFileSync(tokenFile, discord.token)
    const environment = { OPERATORS_CHANNEL_ID: CHANNEL, DISCORD_TOKEN_FILE: tokenFile, TRUST_PROXY: '' }
    const visitor = await around.serve({ environment })
    const { text } = await visitor.look(PAGE)
    for (const name of ['OPERATORS_CHANNEL_ID', 'DISCORD_TOKEN_FILE', 'TRUST_PROXY'])
      expect(text).toContain(`Locked: <code>${name}</code> is set in the environment`)
    expect(text).not.toMatch(/name="(OPERATORS_CHANNEL_ID|secret:DISCORD_TOKEN|TRUST_PROXY)"/)
    const before = readFileSync(around.file, 'utf8')
    const filled = { OPERATORS_CHANNEL_ID: SERVER, 'secret:DISCORD_TOKEN': discord.token, TRUST_PROXY: 'true' }
    for (const [name, value] of Object.entries(filled))
      expect(await fill(visitor, 'change', { [name]: value })).toMatchObject({
        status: 422,
        text: expect.stringMatching(/role="alert">[^<]*which takes precedence over the settings file/),
      })
    expect(readFileSync(around.file, 'utf8')).toBe(before)
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
  ])('cannot be changed by one operator through any form: %s', async (name, value) => {
    const visitor = await around.serve()
    const before = readFileSync(around.file, 'utf8')
    expect((await fill(visitor, 'change', { [name]: value })).status).toBe(422)
    expect((await fill(visitor, 'change', { [`secret:${name}`]: value })).status).toBe(422)
    expect(readFileSync(around.file, 'utf8')).toBe(before)
    expect(await around.told()).toEqual([])
  })

  it.each([
    ['a word', 'general', /OPERATORS_CHANNEL_ID must be a Discord id of 17 to 20 digits/],
    ['a NUL', '12345678901234\u00005678', /OPERATORS_CHANNEL_ID has an invisible character \(U\+0000\)/],
    [
      'a line break',
      `${CHANNEL}\nDATA_FOLDER=/tmp`,
      /OPERATORS_CHANNEL_ID has an invisible character \(U\+000A, a line/,
    ],
    ['too long a text', '1'.repeat(1_001), /longer than 1000 characters/],
  ])('with %s as its value is refused with an explanation, and stays in the form', async (_, value, words) => {
    const visitor = await around.serve()
    const before = readFileSync(around.file, 'utf8')
    const { status, text } = await fill(visitor, 'change', { OPERATORS_CHANNEL_ID: value })
    expect([status, text]).toEqual([422, expect.stringMatching(words)])
    expect(text).toMatch(new RegExp(`name="OPERATORS_CHANNEL_ID" value="${value.slice(0, 5)}`))
    expect(readFileSync(around.file, 'utf8')).toBe(before)
    expect(around.log.join('')).not.toContain(discord.token)
  })
})

describe('the channel for alerts', () => {
  const choosing = async (channel: string, apiUrl: string) =>
    await fill(
      await around.serve({ whyNoChannel: (...which) => checkChannel(...which, apiUrl) }),
      ...(['change', { OPERATORS_CHANNEL_ID: channel }] as const),
    )

  it('is saved if the bot can post in it, but not if Discord does not know it', async () => {
    const { channels } = seedWorld(discord, Date.now())
    const wrong = await choosing('111111111111111111', discord.restUrl)
    expect(wrong).toMatchObject({ status: 422, text: expect.stringContaining('Discord knows no channel 1111') })
    expect(around.stored()).toHaveProperty('OPERATORS_CHANNEL_ID', CHANNEL)
    expect((await choosing(channels.mods, discord.restUrl)).text).toContain('✓ The bot may write in the channel')
    expect(around.stored()).toHaveProperty('OPERATORS_CHANNEL_ID', channels.mods)
  })

  it.each([
    [400, 'is not a text channel'],
    [401, 'does not know the token'],
    [403, 'may not write in the channel'],
    [429, 'Discord answered with status 429. Try again in a minute.'],
  ])('is not written if Discord answers %i, and the page explains what to do', async (answer, words) => {
    const url = await answering((_, response) => response.writeHead(answer).end())
    const { status, text } = await choosing(SERVER, url)
    expect([status, text]).toEqual([422, expect.stringContaining(words)])
    expect(around.stored()).toHaveProperty('OPERATORS_CHANNEL_ID', CHANNEL)
    expect(around.log.join('') + text).not.toContain(discord.token)
  })

  it('is not written while Discord cannot be reached', async () => {
    expect((await choosing(SERVER, 'http://127.0.0.1:9')).text).toContain(
      'Discord could not be asked about the channel',
    )
    expect(around.stored()).toHaveProperty('OPERATORS_CHANNEL_ID', CHANNEL)
  })
})

describe('a new token in the console', () => {
  const renewed = () => `${discord.token.split('.')[0]}.Gx.renewed`

  it('is tried on Discord, and replaces the old one and its file', async () => {
    around.write({ DISCORD_TOKEN_FILE: '/run/secrets/token', HOME_GUILD_ID: SERVER })
    const { text } = await fill(await around.serve(), 'change', { 'secret:DISCORD_TOKEN': discord.token })
    expect(text).toContain('✓ This is the token of')
    expect(around.stored()).toEqual({ DISCORD_TOKEN: discord.token, HOME_GUILD_ID: SERVER })
    expect(await around.told()).toEqual([expect.stringMatching(/DISCORD_TOKEN: a new secret$/)])
  })

  it('is neither written nor shown if Discord rejects it, or cannot check it', async () => {
    const unknown = await fill(await around.serve(), 'change', { 'secret:DISCORD_TOKEN': renewed() })
    expect(unknown).toMatchObject({ status: 422, text: expect.stringContaining('Discord does not know this token') })
    const away = await fill(await around.serve({ apiUrl: 'http://127.0.0.1:9' }), 'change', {
      'secret:DISCORD_TOKEN': renewed(),
    })
    expect(away).toMatchObject({ status: 422, text: expect.stringContaining('could not be checked with Discord') })
    for (const shown of [unknown.text, away.text, around.log.join('')]) expect(shown).not.toContain(renewed())
    expect(around.stored()).toHaveProperty('DISCORD_TOKEN', discord.token)
  })

  it('is not written if it belongs to another application', async () => {
    const other = await createEmulator({ clock: systemClock, entropy: systemEntropy })
    try {
      const { text } = await fill(await around.serve({ apiUrl: other.restUrl }), 'change', {
        'secret:DISCORD_TOKEN': other.token,
      })
      expect(text).toContain('the token of another application')
      expect(around.stored()).toHaveProperty('DISCORD_TOKEN', discord.token)
    } finally {
      await other.close()
    }
  })

  it('must be typed again, and is on no page, if the sign-in is too old', async () => {
    around.write({ DISCORD_TOKEN: renewed(), HOME_GUILD_ID: SERVER })
    const visitor = await around.serve()
    await around.world.clock.advance(5 * MINUTE_MS)
    const { status, text } = await fill(visitor, 'change', {
      'secret:DISCORD_TOKEN': discord.token,
      TRUST_PROXY: 'true',
    })
    expect([status, text]).toEqual([403, expect.stringContaining('a sign-in of the last five minutes')])
    expect(text).not.toContain(discord.token)
    expect(text).toMatch(/name="secret:DISCORD_TOKEN" type="password"[^>]* required/)
    expect(around.stored()).not.toHaveProperty('TRUST_PROXY')
    const hidden = [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const kept = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
    const again = { ...kept, 'secret:DISCORD_TOKEN': discord.token, password: PASSWORD }
    expect((await visitor.post('/console/settings-change', again)).text).toContain('✓ Written')
    expect(around.stored()).toEqual({ DISCORD_TOKEN: discord.token, HOME_GUILD_ID: SERVER, TRUST_PROXY: 'true' })
  })
})

describe('the settings file', () => {
  it('is changed by the first of two browsers, and the second keeps its input', async () => {
    const one = await around.serve()
    const visitor = one.other(one.cookie)
    const [first, second] = [await open(one), await open(visitor)]
    const path = '/console/settings-change'
    expect((await one.post(path, { ...first, OPERATORS_CHANNEL_ID: SERVER })).status).toBe(200)
    const late = await visitor.post(path, { ...second, TRUST_PROXY: '10.0.0.7' })
    expect(late).toMatchObject({ status: 422, text: expect.stringContaining('was changed in the meantime') })
    expect(late.text).toContain('name="TRUST_PROXY" value="10.0.0.7"')
    expect(around.stored()).toMatchObject({ OPERATORS_CHANNEL_ID: SERVER })
    expect(around.stored()).not.toHaveProperty('TRUST_PROXY')
    const version = /name="version" value="([^"]+)"/.exec(late.text)?.[1] ?? ''
    const form = /action="\/console\/settings-change">.*?name="form" value="([^"]+)"/s.exec(late.text)?.[1] ?? ''
    expect((await visitor.post(path, { version, form, TRUST_PROXY: '10.0.0.7' })).status).toBe(200)
    expect(around.stored()).toMatchObject({ OPERATORS_CHANNEL_ID: SERVER, TRUST_PROXY: '10.0.0.7' })
  })

  it('is not overwritten if it was edited by hand after the form was opened', async () => {
    const visitor = await around.serve()
    const fields = await open(visitor)
    around.write({ DISCORD_TOKEN: discord.token, HOME_GUILD_ID: SERVER, LOG_LEVEL: 'debug' })
    const { text } = await visitor.post('/console/settings-change', { ...fields, TRUST_PROXY: 'true' })
    expect(text).toContain('was changed in the meantime')
    expect(around.stored()).toEqual({ DISCORD_TOKEN: discord.token, HOME_GUILD_ID: SERVER, LOG_LEVEL: 'debug' })
  })

  it.each([
    ['in the middle of a name', 'HOME_GUILD_ID=1234\nDISCORD_TOK', /line 2, is not NAME=value/],
    ['in a quote', `DISCORD_TOKEN='abc`, /line 1, opens a quote/],
    ['by a program that writes UTF-16', '\ufeffD\u0000', /is not UTF-8/],
  ])('is not changed, and the fault is explained, if it was damaged %s', async (_, content, words) => {
    const visitor = await around.serve()
    const fields = await open(visitor)
    writeFileSync(around.file, content)
    expect((await visitor.look(PAGE)).text).toMatch(words)
    const { status, text } = await visitor.post('/console/settings-change', { ...fields, TRUST_PROXY: '10.0.0.7' })
    expect([status, text]).toEqual([422, expect.stringMatching(words)])
    expect(text).toMatch(/What you filled in:[\s\S]*<code>TRUST_PROXY<\/code> 10\.0\.0\.7/)
    expect(readFileSync(around.file, 'utf8')).toBe(content)
  })

  it('is not changed if it was cut off between two lines and lacks the token', async () => {
    const visitor = await around.serve()
    writeFileSync(around.file, `HOME_GUILD_ID=${SERVER}\n`)
    const { text } = await fill(visitor, 'change', { TRUST_PROXY: 'true' })
    expect(text).toMatch(/no DISCORD_TOKEN[\s\S]*\.before-/)
    expect(readFileSync(around.file, 'utf8')).toBe(`HOME_GUILD_ID=${SERVER}\n`)
  })

  it('is not overwritten if it was edited by hand while a token was tried', async () => {
    const edited = { DISCORD_TOKEN: discord.token, HOME_GUILD_ID: CHANNEL }
    const apiUrl = await answering((_, answer) => {
      around.write(edited)
      answer.end(JSON.stringify({ id: '1', name: 'Satchel' }))
    })
    const visitor = await around.serve({ apiUrl })
    const { text } = await fill(visitor, 'change', {
      'secret:DISCORD_TOKEN': `${discord.token.split('.')[0]}.Gx.renewed`,
    })
    expect(text).toContain('was changed in the meantime')
    expect(around.stored()).toEqual(edited)
  })

  it('is unchanged if it cannot be written, and the page explains what to do', async () => {
    // Permissions do not bind root, who runs tests in a container; a folder that is in the way does.
    mkdirSync(`${around.file}.new`)
    const before = readFileSync(around.file, 'utf8')
    const { status, text } = await fill(await around.serve(), 'change', { TRUST_PROXY: 'true' })
    expect([status, text]).toEqual([422, expect.stringMatching(/cannot be written[\s\S]*permission to write/)])
    expect(readFileSync(around.file, 'utf8')).toBe(before)
    expect(await around.told()).toEqual([])
  })

  it('is copied before a change, to a file that only the owner can read', async () => {
    const before = readFileSync(around.file, 'utf8')
    await fill(await around.serve(), 'change', { TRUST_PROXY: 'true' })
    const [aside = ''] = readdirSync(around.folder).filter((name) => name.includes('.before-'))
    expect(readFileSync(join(around.folder, aside), 'utf8')).toBe(before)
    expect(statSync(join(around.folder, aside)).mode & 0o777).toBe(0o600)
  })
})

it('readers see the settings, without secrets and without a form', async () => {
  around.write({ DISCORD_TOKEN: discord.token, CONSOLE_PASSWORD: 'open wide please', LOG_LEVEL: '<debug>' })
  const environment = { OPERATORS: 'one', TIPPING_DATABASE_URL: 'postgresql://u:p4ss@h/d', HOME: '/root' }
  const visitor = await around.serve({ environment })
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
