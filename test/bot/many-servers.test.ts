import { expect, onTestFinished, test } from 'vitest'
import { createBot } from '../../src/bot/bot.ts'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { FakeTipping } from '../support/fake-tipping.ts'
import { ManualClock } from '../support/manual-clock.ts'

/** Runs a small version of `npm run prove -- bench scale`. */

const SERVERS = 200

test('each tip is acknowledged and given once, across many servers on ten shards', async () => {
  // The clock is frozen: the test is about lost tips, not about this machine's speed.
  const clock = new ManualClock()
  const emulator = await createEmulator({ clock, entropy: systemEntropy, requestsPerSecond: 100_000, shards: 10 })
  onTestFinished(() => emulator.close())
  const crowd = emulator.world.addCrowd({ servers: SERVERS, membersOfEach: 100 })
  const tipping = new FakeTipping()
  const api = { rest: emulator.restUrl, cdn: emulator.cdnUrl }
  const bot = createBot({ token: emulator.token, api, tipping, clock, logger: silentLogger })
  onTestFinished(async () => void (await clock.advanceUntil(bot.close())))
  await clock.advanceUntil(bot.ready)
  expect(bot.isConnected()).toBe(true)

  const servers = Array.from({ length: SERVERS }, (_, index) => index)
  const handles = servers.map((server) => {
    const values = { to: crowd.memberId(server, 2), amount: '5' }
    return emulator.as(crowd.memberId(server, 1)).run(crowd.channelId(server), 'tip', values)
  })
  const views = await Promise.all(handles.map((handle) => handle.acknowledged()))
  expect(views.filter(({ failure }) => failure !== null)).toEqual([])
  await clock.advanceUntil(bot.settled())

  const tips = tipping.asked.filter(({ verb }) => verb === 'tip')
  expect(tips).toHaveLength(SERVERS)
  // Inactive people cost nothing.
  expect(emulator.world.people().length).toBeLessThan(3 * SERVERS)
})
