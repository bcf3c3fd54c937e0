import { Events } from 'discord.js'
import { expect, test } from 'vitest'
import { limitConcurrency } from '../../src/bot/transport/limit-concurrency.ts'
import { makeRequest } from '../../src/bot/transport/make-request.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { register, startBot, startWorld } from './fixture.ts'

const MAX_TIMER_MS = 2 ** 31 - 1
const CONNECTIONS = 64

test('1,000 simultaneous interactions are each delivered and answered', async () => {
  // The clock stands still: what is tested is that nothing is lost, not how fast this machine is today.
  const world = await startWorld({ clock: new ManualClock(), requestsPerSecond: 50 })
  await register(world, [{ name: 'ping', description: 'x' }])
  const rest = {
    api: world.emulator.restUrl,
    retries: 0,
    // discord.js counts interaction routes among its own 50 requests a second, though Discord does not.
    globalRequestsPerSecond: 100_000,
    // discord.js and its connections go by the wall clock: no request gives up, and a thousand share a few connections.
    timeout: MAX_TIMER_MS,
    makeRequest: limitConcurrency(CONNECTIONS, makeRequest),
  }
  const client = await startBot(world, { rest })
  client.on(Events.InteractionCreate, async (interaction) => {
    if (!interaction.isChatInputCommand()) return
    await interaction.deferReply()
    await interaction.editReply('pong')
  })
  const handles = Array.from({ length: 1000 }, () => world.alice.run(world.channels.general, 'ping'))
  const views = await Promise.all(handles.map((handle) => handle.answered()))
  expect(views.filter(({ state }) => state === 'answered')).toHaveLength(1000)
  expect(new Set(handles.flatMap((handle) => handle.messages().map(({ id }) => id))).size).toBe(1000)
  expect(world.emulator.requests().filter(({ status }) => status >= 400)).toEqual([])
})
