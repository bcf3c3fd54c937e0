import { Routes } from 'discord.js'
import { expect, onTestFinished, test } from 'vitest'
import { type BotOptions, createBot } from '../../src/bot/bot.ts'
import { changesOf } from '../../src/bot/installation/application.ts'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { FakeTipping } from '../support/fake-tipping.ts'
import { textOf } from './lounge.ts'

async function startWorld() {
  const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy, requestsPerSecond: 100_000 })
  onTestFinished(() => emulator.close())
  const seeds = seedWorld(emulator, Date.now())
  const said: string[] = []
  const logger = createLogger({ level: 'info', name: 'bot', destination: { write: (line) => void said.push(line) } })
  /** Starts the bot. Resolves to the bot's requests to Discord's REST interface. */
  async function start(options: Partial<BotOptions> = {}) {
    emulator.clearRequests()
    const api = { rest: emulator.restUrl, cdn: emulator.cdnUrl }
    const shared = { token: emulator.token, api, tipping: new FakeTipping(), clock: systemClock, logger }
    const bot = createBot({ ...shared, callsPerSecond: 100_000, ...options })
    onTestFinished(() => bot.close())
    await bot.ready
    return { bot, asked: emulator.requests().map(({ method, path }) => `${method} ${path}`) }
  }
  const names = (person: string, channel: string) =>
    emulator
      .as(person)
      .commands(channel)
      .map(({ path }) => path)
  return { emulator, start, said, names, ...seeds }
}

test('a start sets up “Add App” for the bot, and logs who may install the bot', async () => {
  const { emulator, start, said } = await startWorld()
  await start()
  const headers = { authorization: `Bot ${emulator.token}` }
  const answer = await fetch(`${emulator.restUrl}/v10${Routes.currentApplication()}`, { headers })
  const inServers = { scopes: ['bot', 'applications.commands'], permissions: '274878024704' }
  const application = (await answer.json()) as Parameters<typeof changesOf>[0]
  expect(application).toMatchObject({ integration_types_config: { 0: { oauth2_install_params: inServers }, 1: {} } })
  expect(application.tags).toContain('bitcoin')
  expect(changesOf(application, { userInstall: undefined })).toBeUndefined()
  expect(said.join('')).toContain('servers and people can install the bot')
})

test('people cannot install the bot for themselves if user installation is disabled', async () => {
  const { start, said, emulator, people, names } = await startWorld()
  await start({ userInstall: false })
  expect(said.join('')).toContain('only servers can install the bot')
  emulator.world.installFor(people.alice)
  expect(names(people.alice, emulator.as(people.alice).openDm(people.bob).id)).toEqual([])
})

test('a start logs what the owner must set if Discord refuses the bot’s changes', async () => {
  const { start, said, emulator } = await startWorld()
  emulator.faults.refuseNext({ status: 403, code: 50_001 }, { method: 'PATCH', path: /^\/applications\/@me$/ })
  await start()
  expect(said.join('')).toMatch(/Add App.*on the page Installation, give Guild Install the scopes bot/)
})

test('a start keeps the settings that the owner has made for the application', () => {
  const params = { scopes: ['applications.commands', 'bot'], permissions: '274878024712' } as never
  const own = { integration_types_config: { 0: { oauth2_install_params: params } }, tags: ['x'] }
  expect(changesOf(own as never, { userInstall: undefined })).toBeUndefined()
  expect(changesOf(own as never, { userInstall: true })).toMatchObject({ integration_types_config: { 1: {} } })
})

test('a restart with commands in two scopes takes 4 calls besides server and user GETs', async () => {
  const { start, serverId } = await startWorld()
  await (await start({ homeGuildId: serverId })).bot.close()
  const { asked } = await start({ homeGuildId: serverId })
  expect(asked.filter((call) => !/^GET \/(guilds|users)\//.test(call))).toHaveLength(4)
})

test('a command that moves from one server to all is listed only once after it is used', async () => {
  const { start, serverId, people, channels, emulator, names } = await startWorld()
  await (await start({ guildId: serverId })).bot.close()
  const { bot } = await start()
  const twice = names(people.alice, channels.general).filter((path) => path === 'help')
  expect(twice).toHaveLength(2)
  const handle = emulator.as(people.alice).run(channels.general, 'help')
  await handle.answered()
  expect(handle.view().state).toBe('answered')
  await expect.poll(() => names(people.alice, channels.general).filter((path) => path === 'help')).toHaveLength(1)
  expect(names(people.alice, emulator.as(people.alice).openDm(emulator.applicationId).id)).toContain('help')
  await bot.close()
  await start({ guildId: serverId })
  expect(names(people.alice, channels.general).filter((path) => path === 'help')).toHaveLength(1)
})

test('/admin is refused, and then disappears, in a former server of the operators', async () => {
  const { start, serverId, people, channels, emulator, names } = await startWorld()
  await (await start({ homeGuildId: serverId })).bot.close()
  await start()
  const left = () => names(people.owner, channels.general).filter((path) => path.startsWith('admin'))
  expect(left()).not.toEqual([])
  const handle = emulator.as(people.owner).run(channels.general, 'admin audit')
  await handle.answered()
  expect(handle.messages().map(textOf).join('')).toContain('for the operators of this bot, in their own server')
  await expect.poll(left).toEqual([])
})
