import { expect, test } from 'vitest'
import { commandList, createBot } from '../../src/bot/bot.ts'
import { commands } from '../../src/bot/registry/commands.ts'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { FakeTipping } from '../support/fake-tipping.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { startLounge, textOf } from './lounge.ts'

const parts = { tipping: new FakeTipping(), clock: systemClock, logger: silentLogger }

test('the bot explains a wrong token, server or channel, and an unreachable Discord', async () => {
  const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy })
  const rest = emulator.restUrl
  const refused = createBot({ ...parts, token: 'MTIz.wrong.token', api: { rest } })
  await expect(refused.ready).rejects.toThrow("Discord does not accept the bot's token")
  await refused.close()
  for (const [variable, server] of [
    ['DISCORD_GUILD_ID', { guildId: '123456789012345678' }],
    ['HOME_GUILD_ID', { homeGuildId: '123456789012345678' }],
  ] as const) {
    const astray = createBot({ ...parts, ...server, token: emulator.token, api: { rest } })
    await expect(astray.ready).rejects.toThrow(
      `${variable} names a server that the bot is not in. Invite the bot there`,
    )
    await astray.close()
  }
  const said: string[] = []
  const error = (_: unknown, t: string) => void said.push(t)
  const logger = { ...silentLogger, error } as typeof silentLogger
  const alone = createBot({
    ...parts,
    logger,
    operatorsChannelId: '123456789012345678',
    token: emulator.token,
    api: { rest },
  })
  await alone.ready
  await alone.close()
  expect(said).toEqual(['The bot does not see the channel in OPERATORS_CHANNEL_ID: alerts reach only this log'])
  await emulator.close()
  const lost = createBot({ ...parts, token: emulator.token, api: { rest } })
  await expect(lost.ready).rejects.toThrow(`Discord cannot be reached at ${rest}`)
  await lost.close()
})

test('a closing bot finishes open work and goes offline without an error', async () => {
  const { alice, channels, emulator, log, restart, tipping } = await startLounge()
  const { promise, resolve } = Promise.withResolvers<void>()
  tipping.before = promise
  const tip = alice.run(channels.tips, 'tip', { to: '@bob', amount: '5' })
  await tip.acknowledged()
  setImmediate(resolve)

  await restart(async () => {
    expect(textOf(tip.messages()[0])).toContain('**5 sats**')
    await expect.poll(() => emulator.botOnline).toBe(false)
  })

  expect(log.filter(({ level }) => level !== 'info')).toEqual([])
})

test('a closing bot waits at most 5 seconds for a command that hangs', async () => {
  const clock = new ManualClock()
  const { alice, channels, close, emulator, tipping } = await startLounge({ clock })
  const { promise, resolve } = Promise.withResolvers<void>()
  tipping.before = promise
  await alice.run(channels.tips, 'balance').acknowledged()

  let closed = false
  const closing = close().then(() => {
    closed = true
  })
  await expect.poll(() => emulator.botOnline).toBe(false)
  await clock.advance(4_999)
  expect(closed).toBe(false)
  await clock.advance(1)
  await closing
  resolve()
})

test('the list of commands shows every command and its purpose', () => {
  const list = commandList()

  expect(list.map(({ name }) => name)).toEqual(commands.map(({ name }) => name))
  expect(list[0]?.options.map(({ name, required }) => `${name}${required ? '!' : ''}`)).toEqual([
    'to!',
    'amount!',
    'also',
    'split',
    'note',
    'anonymous',
    'from',
    'reason',
  ])
  for (const { description, options } of list) {
    for (const text of [description, ...options.map((option) => option.description)]) {
      expect(text).toMatch(/^.{8,100}$/)
    }
  }
})

test('the bot can connect without any privileged intent', async () => {
  // All privileged intents are switched off in the application's settings.
  const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy, disallowedIntents: 0x8102 })
  const bot = createBot({ ...parts, token: emulator.token, api: { rest: emulator.restUrl } })
  await bot.ready
  expect(emulator.botOnline).toBe(true)
  await bot.close()
  await emulator.close()
})
