import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from '../../src/discord-emulator/emulator.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { byLink, type Visitor } from './console-world.ts'
import { answering, CHANNEL, DAY_MS, fill, MINUTE_MS, open, PAGE, SERVER, SettingsWorld } from './settings-world.ts'

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

describe('a setting that could let one operator take sats', () => {
  const propose = (visitor: Visitor, fields: Record<string, string>) => fill(visitor, 'propose', fields)
  const proposal = async (visitor: Visitor) =>
    /name="proposal" value="([^"]+)"/.exec((await visitor.look(PAGE)).text)?.[1] ?? 'no proposal'
  const does = async (visitor: Visitor, action: string, id?: string) =>
    await visitor.post(`/console/${action}`, {
      ...{ form: await visitor.token('settings-cancel', PAGE), proposal: id ?? (await proposal(visitor)) },
    })

  it('waits for a second operator to agree, and is then tried and written', async () => {
    const visitor = await around.serve()
    const { text } = await propose(visitor, { HOME_GUILD_ID: CHANNEL, OPERATORS: 'two' })
    expect(text).toMatch(/✓ Noted[\s\S]*HOME_GUILD_ID: “223456789012345678”[\s\S]*another operator has to agree/)
    expect(text).not.toMatch(/settings-agree|OPERATORS: “two”/)
    expect(around.stored()).toHaveProperty('HOME_GUILD_ID', SERVER)
    expect(await does(visitor, 'settings-agree')).toMatchObject({
      status: 422,
      text: expect.stringContaining('another operator has to agree'),
    })
    const second = await byLink(visitor, around.world)
    around.write({ DISCORD_TOKEN: discord.token, HOME_GUILD_ID: SERVER, LOG_LEVEL: 'debug' })
    expect((await does(second, 'settings-agree')).text).toContain('✓ Written')
    expect(around.stored()).toEqual({ DISCORD_TOKEN: discord.token, HOME_GUILD_ID: CHANNEL, LOG_LEVEL: 'debug' })
    expect(readdirSync(around.folder).filter((name) => name.endsWith('.proposed'))).toEqual([])
    expect(await around.told()).toEqual([
      'console:password proposed settings: HOME_GUILD_ID: “223456789012345678”. A second operator has to agree in the console within a day.',
      '1001 had settings written that console:password proposed, for the next start: HOME_GUILD_ID: “223456789012345678”',
    ])
  })

  it('is dropped when an operator cancels it, or after a day', async () => {
    const visitor = await around.serve()
    await propose(visitor, { OPERATORS: 'one' })
    const [first, second] = [await proposal(visitor), await byLink(visitor, around.world)]
    const home = async () => (await second.look('/console')).text
    expect(await home()).toMatch(/One thing needs you[\s\S]*Proposed settings wait[\s\S]*href="\/console\/settings"/)
    expect(await does(second, 'settings-cancel')).toMatchObject({ to: `${PAGE}?said=settings-cancelled` })
    expect(await home()).toContain('Nothing waits for you')
    await propose(visitor, { OPERATORS: 'one' })
    // The second operator has seen another one.
    expect((await does(second, 'settings-agree', first)).text).toContain('are no longer waiting')
    await around.world.clock.advance(DAY_MS)
    const late = await byLink(visitor, around.world)
    expect((await late.look(PAGE)).text).not.toContain('settings-agree')
    expect(around.stored()).not.toHaveProperty('OPERATORS')
  })

  it('is written a day later at the earliest for a lone operator', async () => {
    const visitor = await around.serve({ operators: 'one' })
    expect((await propose(visitor, { HOME_GUILD_ID: CHANNEL })).text).toContain('They can be written from')
    expect(await around.told()).toEqual([expect.stringContaining('They can be written in 24 hours')])
    const id = await proposal(visitor)
    // A person who has the link as well as the password is still alone.
    for (const each of [visitor, await byLink(visitor, around.world)])
      expect((await does(each, 'settings-agree', id)).text).toContain('These settings can be written from')
    await around.world.clock.advance(DAY_MS)
    const later = visitor.other()
    await later.signIn()
    expect((await does(later, 'settings-agree')).text).toContain('✓ Written')
    expect(around.stored()).toHaveProperty('HOME_GUILD_ID', CHANNEL)
  })

  it('is not written while the clock is not trusted', async () => {
    const visitor = await around.serve({ operators: 'one', believesClock: () => false })
    await propose(visitor, { HOME_GUILD_ID: CHANNEL })
    await around.world.clock.advance(DAY_MS)
    const later = visitor.other()
    await later.signIn()
    expect((await does(later, 'settings-agree')).text).toContain('only while the clock of this machine is trusted')
    expect(around.stored()).toHaveProperty('HOME_GUILD_ID', SERVER)
  })

  it('prevents a second proposal while it waits', async () => {
    const visitor = await around.serve()
    const fields = await open(visitor)
    await propose(visitor, { OPERATORS: 'one' })
    const { text } = await visitor.post('/console/settings-propose', {
      ...fields,
      HOME_GUILD_ID: CHANNEL,
      form: await visitor.token('settings-cancel', PAGE),
    })
    expect(text).toMatch(/Other settings are already waiting[\s\S]*OPERATORS: “one”/)
  })

  it('needs a sign-in of the last 5 minutes from each of the two operators', async () => {
    const visitor = await around.serve()
    await propose(visitor, { OPERATORS: 'one' })
    const second = await byLink(visitor, around.world)
    await around.world.clock.advance(5 * MINUTE_MS)
    expect((await does(second, 'settings-agree')).text).toContain('a sign-in of the last five minutes')
    await does(second, 'settings-cancel')
    expect((await propose(visitor, { OPERATORS: 'one' })).text).toContain('a sign-in of the last five minutes')
    expect((await visitor.look(PAGE)).text).not.toContain('settings-agree')
  })

  it.each([
    ['a server that the bot is not in', { HOME_GUILD_ID: '999456789012345678' }, /not in the server[\s\S]*Invite it/],
    ['an invalid address', { SERVICE_PUBLIC_URL: 'pay.example' }, /SERVICE_PUBLIC_URL must be an http or https/],
    ['a channel for operators but no server', { HOME_GUILD_ID: '' }, /HOME_GUILD_ID is missing/],
    ['another folder for the books', { DATA_FOLDER: '/tmp' }, /DATA_FOLDER cannot be changed in the console/],
  ])('cannot be proposed with %s', async (_, fields, words) => {
    const visitor = await around.serve()
    expect(await propose(visitor, fields)).toMatchObject({ status: 422, text: expect.stringMatching(words) })
    expect((await visitor.look(PAGE)).text).not.toContain('id="proposed"')
    expect(await around.told()).toEqual([])
  })

  it('cannot be a key that the provider does not know', async () => {
    const baseUrl = await answering((_, answer) => void answer.writeHead(401).end('{"message":"unknown key"}'))
    around.write({ DISCORD_TOKEN: discord.token, PAYMENTS_BASE_URL: baseUrl, PAYMENTS_API_KEY: 'anoldkey' })
    const visitor = await around.serve()
    const { status, text } = await propose(visitor, { 'secret:PAYMENTS_API_KEY': 'anewkey' })
    expect([status, text]).toEqual([422, expect.stringContaining('The provider does not know this API key')])
    expect(text + around.log.join('')).not.toMatch(/anewkey|anoldkey/)
    expect((await propose(visitor, { PAYMENTS_BASE_URL: '' })).text).toContain('PAYMENTS_BASE_URL is missing')
  })

  /** Starts a server that refuses every key; returns it with the headers that it received. */
  const listening = async () => {
    const heard: string[] = []
    const url = await answering((request, answer) => {
      heard.push(Object.entries(request.headers).join('\n'))
      answer.writeHead(401).end('{"message":"unknown key"}')
    })
    return { url, heard }
  }

  it('reveals no stored key to a provider before a second operator agrees', async () => {
    const [{ url, heard }, old] = [await listening(), { PAYMENTS_BASE_URL: 'http://127.0.0.1:9' }]
    around.write({ DISCORD_TOKEN: discord.token, ...old, PAYMENTS_API_KEY: 'storedkey' })
    const visitor = await around.serve()
    const { status, text } = await propose(visitor, { PAYMENTS_BASE_URL: url })
    expect([status, text]).toEqual([200, expect.stringContaining('The payments are tried before this is written')])
    expect(heard).toEqual([])
    const second = await byLink(visitor, around.world)
    expect(await does(second, 'settings-agree')).toMatchObject({ status: 422 })
    expect(heard.join()).toContain('storedkey')
    expect(around.stored()).toMatchObject(old)
  })

  it('is tried with the key that was typed with the address, not with the stored one', async () => {
    const { url, heard } = await listening()
    around.write({
      DISCORD_TOKEN: discord.token,
      PAYMENTS_BASE_URL: 'http://127.0.0.1:9',
      PAYMENTS_API_KEY: 'storedkey',
    })
    const fields = { PAYMENTS_BASE_URL: url, 'secret:PAYMENTS_API_KEY': 'typedkey' }
    expect(await propose(await around.serve(), fields)).toMatchObject({ status: 422 })
    expect(heard.join()).toContain('typedkey')
    expect(heard.join()).not.toContain('storedkey')
  })

  it.each([
    ['the password', 'a stored password'],
    ['the content of another file', 'another file'],
  ])('reveals %s to no node before a second operator agrees', async (_, content) => {
    const { url, heard } = await listening()
    const [old, other] = ['password', 'other'].map((name) => join(around.folder, name))
    for (const file of [old, other]) writeFileSync(file as string, content)
    const node = { LIGHTNING_BACKEND: 'phoenixd', PHOENIXD_URL: 'http://127.0.0.1:9', PHOENIXD_PASSWORD_FILE: `${old}` }
    around.write({ DISCORD_TOKEN: discord.token, ...node })
    const visitor = await around.serve()
    const named: Record<string, string> = content === 'another file' ? { PHOENIXD_PASSWORD_FILE: `${other}` } : {}
    expect(await propose(visitor, { PHOENIXD_URL: url, ...named })).toMatchObject({ status: 200 })
    expect(heard).toEqual([])
    const second = await byLink(visitor, around.world)
    expect(await does(second, 'settings-agree')).toMatchObject({ status: 422 })
    expect(heard.join()).toContain(Buffer.from(`satchel:${content}`).toString('base64'))
    expect(around.stored()).toMatchObject(node)
  })

  it('reveals no password to a node before a lone operator’s day of waiting is over', async () => {
    const { url, heard } = await listening()
    const node = { LIGHTNING_BACKEND: 'phoenixd', PHOENIXD_URL: 'http://127.0.0.1:9', PHOENIXD_PASSWORD: 'secretly' }
    around.write({ DISCORD_TOKEN: discord.token, ...node })
    const visitor = await around.serve({ operators: 'one' })
    await propose(visitor, { PHOENIXD_URL: url })
    expect((await does(visitor, 'settings-agree')).text).toContain('These settings can be written from')
    expect(heard).toEqual([])
  })

  it('is not written if its node cannot be reached', async () => {
    const node = { LIGHTNING_BACKEND: 'phoenixd', PHOENIXD_URL: 'http://127.0.0.1:9', PHOENIXD_PASSWORD: 'secretly' }
    around.write({ DISCORD_TOKEN: discord.token, ...node })
    const visitor = await around.serve()
    await propose(visitor, { PHOENIXD_URL: 'http://127.0.0.1:8' })
    const { status, text } = await does(await byLink(visitor, around.world), 'settings-agree')
    expect([status, text]).toEqual([422, expect.stringContaining('127.0.0.1:8')])
    expect(text).not.toContain('secretly')
    expect(around.stored()).toEqual({ DISCORD_TOKEN: discord.token, ...node })
  })
})
