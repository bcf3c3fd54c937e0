import { expect, onTestFinished, test } from 'vitest'
import { createBot } from '../../src/bot/bot.ts'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { FakeTipping } from '../support/fake-tipping.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { startLounge, textOf } from './lounge.ts'

/** Tests the bot's gateway sessions; test/tipping/two-bots/shards.test.ts tests how the book stores them. */

test('after a restart, the bot resumes its session and receives the missed events', async () => {
  const { alice, channels, done, emulator, restart, tipping } = await startLounge({ everywhere: true })
  const heard: string[] = []
  Object.assign(tipping.rain, { heard: (_: string, member: string) => heard.push(member) })
  const [session] = emulator.gatewaySessions

  await restart(() => void alice.say(channels.general, 'anybody there?'))

  await expect.poll(() => heard).toEqual([alice.id])
  expect(emulator.gatewaySessions).toEqual([{ ...session, connected: true, resumes: 1 }])
  // The bot knows the servers and channels that Discord lists only at the beginning of a session.
  const [answer] = await done(alice.run(channels.tips, 'balance'))
  expect(textOf(answer)).toContain('sats')
})

test('after resuming, the bot still knows servers that Discord does not list again', async () => {
  const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy, requestsPerSecond: 100_000 })
  onTestFinished(() => emulator.close())
  emulator.world.createServer({ name: 'Orange Pill', ownerId: emulator.world.createPerson({ username: 'alice' }).id })
  const tipping = new FakeTipping()
  const start = async () => {
    const api = { rest: emulator.restUrl }
    const bot = createBot({ token: emulator.token, api, tipping, clock: systemClock, logger: silentLogger })
    onTestFinished(() => bot.close())
    await bot.ready
    return bot
  }
  const first = await start()
  expect(first.communityName()).toBe('Orange Pill')
  await first.close()

  const second = await start()

  expect(emulator.gatewaySessions[0]?.resumes).toBe(1)
  expect(second.communityName()).toBe('Orange Pill')
})

test('the bot reads each server once, and only if the server is configured or active', async () => {
  const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy, requestsPerSecond: 100_000 })
  onTestFinished(() => emulator.close())
  const crowd = emulator.world.addCrowd({ servers: 60, membersOfEach: 3 })
  const tipping = new FakeTipping()
  const start = async () => {
    const api = { rest: emulator.restUrl }
    const publicServers = [crowd.serverId(7)]
    const bot = createBot({
      token: emulator.token,
      api,
      tipping,
      clock: systemClock,
      logger: silentLogger,
      publicServers,
    })
    onTestFinished(() => bot.close())
    await bot.ready
    return bot
  }
  const read = () =>
    emulator
      .requests()
      .filter(({ path }) => /^\/(guilds|users\/@me\/guilds)/.test(path))
      .map(({ path }) => path)
  const about = (server: number) => [`/guilds/${crowd.serverId(server)}`, `/guilds/${crowd.serverId(server)}/channels`]
  await (await start()).close()
  expect(read()).toEqual([])

  const bot = await start()
  expect(read()).toEqual(['/users/@me/guilds', ...about(7)])
  // It knows one server, which is not the only one.
  expect(bot.communityName()).not.toBe('Server 7')
  expect(bot.everybodySees(crowd.channelId(7))).toBe(true)
  expect(bot.everybodySees(crowd.channelId(9))).toBe(false)

  const asks = () => emulator.as(crowd.memberId(9, 1)).run(crowd.channelId(9), 'balance').answered()
  await Promise.all([asks(), asks()])
  await expect.poll(() => bot.everybodySees(crowd.channelId(9))).toBe(true)
  await asks()
  expect(read()).toEqual(['/users/@me/guilds', ...about(7), ...about(9)])
})

test('the bot knows no servers of a shard that another process runs', async () => {
  const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy, requestsPerSecond: 100_000 })
  onTestFinished(() => emulator.close())
  const { channels, serverId: guildId } = seedWorld(emulator, systemClock.now())
  const tipping = new FakeTipping()
  const api = { rest: emulator.restUrl }
  const bot = createBot({ token: emulator.token, api, tipping, clock: systemClock, logger: silentLogger })
  onTestFinished(() => bot.close())
  await bot.ready
  const known = () => [bot.everybodySees(channels.tips), bot.knows(guildId)]
  expect(known()).toEqual([true, true])

  tipping.shards.taken = true
  await tipping.shards.round()
  await expect.poll(known).toEqual([false, false])

  tipping.shards.taken = false
  await tipping.shards.round()
  await expect.poll(known).toEqual([true, true])
})

test('a session that Discord refuses is dropped, and a new one begins', async () => {
  const { alice, channels, done, emulator, restart, tipping } = await startLounge()
  const before = emulator.gatewaySessions[0]?.id

  await restart(() => emulator.faults.dropGateway({ forgetSessions: true }))

  expect(emulator.gatewaySessions).toMatchObject([{ connected: true, resumes: 0 }])
  await expect.poll(() => tipping.shards.sessions.get(0)?.id).toBe(emulator.gatewaySessions[0]?.id)
  expect(tipping.shards.sessions.get(0)?.id).not.toBe(before)
  expect(textOf((await done(alice.run(channels.tips, 'balance')))[0])).toContain('sats')
})

test('a session whose resume URL no longer answers is dropped, and a new one begins', async () => {
  const clock = new ManualClock()
  const { emulator, restart, tipping, log } = await startLounge({ clock })

  let isBack = false
  const restarted = restart(() => {
    const session = tipping.shards.sessions.get(0)
    if (session === undefined) throw new Error('no session was kept')
    tipping.shards.sessions.set(0, { ...session, resumeUrl: 'ws://127.0.0.1:9' })
  }).then(() => {
    isBack = true
  })
  await expect
    .poll(async () => {
      await clock.advance(1_000)
      return isBack
    })
    .toBe(true)
  await restarted

  expect(emulator.gatewaySessions.filter(({ connected }) => connected)).toMatchObject([{ resumes: 0 }])
  expect(JSON.stringify(log)).toContain('leads nowhere')
})

test('a session that began with different intents is not resumed', async () => {
  const { emulator, restart, tipping } = await startLounge()

  await restart(() => {
    const session = tipping.shards.sessions.get(0)
    if (session === undefined) throw new Error('no session was kept')
    tipping.shards.sessions.set(0, { ...session, intents: session.intents + 1 })
  })

  const connected = emulator.gatewaySessions.filter((session) => session.connected)
  expect(connected).toMatchObject([{ resumes: 0 }])
})

test('events received again after a crash are not answered again', async () => {
  const { alice, channels, done, emulator, restart, tipping } = await startLounge()
  // The state in the book if the process dies before it stores again.
  const [stored] = [...tipping.shards.sessions.values()]
  if (stored === undefined) throw new Error('a new session is stored at once')
  const tip = alice.run(channels.tips, 'tip', { to: '@bob', amount: '5' })
  const shown = await done(tip)
  const asked = tipping.asked.length

  await restart(() => void tipping.shards.sessions.set(0, stored))

  expect(emulator.gatewaySessions).toMatchObject([{ connected: true, resumes: 1 }])
  await alice.run(channels.tips, 'balance').answered()
  expect(tipping.asked.slice(asked).map(({ verb }) => verb)).toEqual(['balance'])
  expect(tip.messages()).toEqual(shown)
})

test('sessions are stored at intervals, however many events there are', async () => {
  const clock = new ManualClock()
  const { alice, channels, emulator, tipping } = await startLounge({ clock })
  const heard: unknown[] = []
  Object.assign(tipping.rain, { heard: (_: string, member: string) => heard.push(member) })
  await expect.poll(() => tipping.shards.saves).toBe(1)
  const before = tipping.shards.sessions.get(0)?.sequence ?? 0

  for (let at = 0; at < 20; at += 1) alice.say(channels.general, `word ${at}`)
  await expect.poll(() => heard.length).toBe(20)
  expect(tipping.shards.saves).toBe(1)
  await clock.advance(30_000)
  await expect.poll(() => tipping.shards.saves).toBe(2)
  expect(tipping.shards.sessions.get(0)?.sequence).toBeGreaterThanOrEqual(before + 20)
  await clock.advance(60_000)
  expect(tipping.shards.saves).toBe(2)
  expect(emulator.botOnline).toBe(true)
})

test('each shard has its own session', async () => {
  const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy, shards: 3 })
  onTestFinished(() => emulator.close())
  const tipping = new FakeTipping()
  for (const resumes of [0, 1]) {
    const api = { rest: emulator.restUrl }
    const bot = createBot({ token: emulator.token, api, tipping, clock: systemClock, logger: silentLogger })
    await bot.ready
    const shards = emulator.gatewaySessions.map(({ shard, connected }) => [shard, connected])
    expect(shards.toSorted()).toEqual([0, 1, 2].map((id) => [[id, 3], true]))
    expect(emulator.gatewaySessions.map((session) => session.resumes)).toEqual([resumes, resumes, resumes])
    await bot.close()
  }
})

test('if Discord refuses to connect a freed shard, the bot keeps running and retries', async () => {
  const { emulator, restart, tipping, log } = await startLounge()
  await restart(() => {
    tipping.shards.taken = true
  })
  expect(emulator.botOnline).toBe(false)
  tipping.shards.taken = false
  emulator.faults.failNext(403, { path: /gateway\/bot$/ })

  await tipping.shards.round()
  await expect.poll(() => JSON.stringify(log)).toContain('it is tried again')
  expect(emulator.botOnline).toBe(false)

  await tipping.shards.round()
  await expect.poll(() => emulator.botOnline).toBe(true)
})
