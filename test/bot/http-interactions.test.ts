import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Events, GatewayDispatchEvents } from 'discord.js'
import { expect, onTestFinished, test } from 'vitest'
import { createBot } from '../../src/bot/bot.ts'
import { createHttpInteractions } from '../../src/bot/transport/http-interactions.ts'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import type { InteractionHandle } from '../../src/discord-emulator/people/interaction-handle.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { FakeTipping } from '../support/fake-tipping.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { textOf } from './lounge.ts'

/** Opens a bot that receives Discord's HTTP requests through this test. */
async function open() {
  const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy, requestsPerSecond: 100_000 })
  onTestFinished(() => emulator.close())
  const { people, channels, roles } = seedWorld(emulator, systemClock.now())
  const sent: unknown[] = []
  // It accepts Discord's request, and says that the answer comes another way.
  const inbox = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const said = JSON.parse(body) as { type: number }
    const isForged = String(request.headers['x-signature-ed25519']).startsWith('0000')
    if (said.type !== 1) sent.push(said)
    response.writeHead(isForged ? 401 : said.type === 1 ? 200 : 202).end(said.type === 1 ? '{"type":1}' : '')
  })
  await new Promise<void>((resolve) => inbox.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void inbox.close())
  await emulator.setInteractionsEndpoint(`http://127.0.0.1:${(inbox.address() as AddressInfo).port}/`)
  const tipping = new FakeTipping()
  const clock = new ManualClock(systemClock.now())
  const api = { rest: emulator.restUrl, cdn: emulator.cdnUrl }
  const connection = { gateway: false, publicKey: emulator.publicKey }
  const bot = createBot({ token: emulator.token, api, tipping, clock, logger: silentLogger, connection })
  onTestFinished(async () => void (await clock.advanceUntil(bot.close())))
  await clock.advanceUntil(bot.ready)
  const alice = emulator.as(people.alice)
  const handles: InteractionHandle[] = []
  return {
    ...{ emulator, bot, tipping, clock },
    roles,
    /** Resolves to all messages that alice received, by interaction. */
    told: () => Promise.all(handles.map((handle) => handle.messages())),
    async tip(to = '@bob') {
      const before = sent.length
      handles.push(alice.run(channels.tips, 'tip', { to, amount: '5' }))
      await expect.poll(() => sent.length).toBe(before + 1)
      return sent[before]
    },
    /** Passes a request to the bot, and returns the bot's answer to Discord. */
    async hear(said: object) {
      const { id, token } = said as { id: string; token: string }
      const delivered = Promise.withResolvers<void>()
      const response = await clock.advanceUntil(bot.hear(said, delivered.promise))
      const body = JSON.stringify(response)
      const headers = { 'content-type': 'application/json' }
      const url = `${emulator.restUrl}/v10/interactions/${id}/${token}/callback`
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204)
      delivered.resolve()
      await clock.advanceUntil(bot.settled())
    },
  }
}

interface Said {
  readonly guild_id: string
  readonly channel: { readonly id: string }
}

const tips = (tipping: FakeTipping) => tipping.asked.filter(({ verb }) => verb === 'tip')

test('a tip over HTTP is not given if the answer that acknowledges it is lost', async () => {
  const { bot, clock, tipping, tip } = await open()
  const response = await clock.advanceUntil(bot.hear(await tip(), Promise.reject(new Error('nobody waits'))))
  expect(response).toMatchObject({ type: expect.any(Number) })
  await clock.advanceUntil(bot.settled())
  expect(tips(tipping)).toEqual([])
})

test('a tip over HTTP is given after Discord has accepted the acknowledgement', async () => {
  const { emulator, hear, tipping, tip } = await open()
  await hear((await tip()) as object)
  expect(tips(tipping)).toHaveLength(1)
  expect(emulator.requests().some(({ method, path }) => method === 'GET' && path.includes('@original'))).toBe(true)
})

test('a tip to a role is refused if the bot lacks the members intent', async () => {
  const { emulator, hear, roles, tip, tipping, told } = await open()
  emulator.faults.failNext(403, { method: 'GET', path: /^\/guilds\/\d+\/members$/ })
  await hear((await tip(roles.regulars)) as object)
  expect(tips(tipping)).toEqual([])
  const [[answer] = []] = await told()
  expect(answer?.ephemeral).toBe(true)
  expect(textOf(answer)).toContain('Server Members Intent')

  // The operators have switched it on.
  await hear((await tip(roles.regulars)) as object)
  expect(tips(tipping)).toHaveLength(1)
})

// The acknowledgement came too late, or a proxy lost it, however quick the bot was by any clock.
test('a tip over HTTP is not given if Discord has not accepted the acknowledgement', async () => {
  const { bot, clock, emulator, tipping, tip } = await open()
  expect(await clock.advanceUntil(bot.hear(await tip(), Promise.resolve()))).toBeDefined()
  await clock.advanceUntil(bot.settled())
  expect(tips(tipping)).toEqual([])
  expect(emulator.requests().some(({ method, path }) => method === 'GET' && path.includes('@original'))).toBe(true)
})

test('a thread belongs to the channel that Discord names in the interaction', async () => {
  const { hear, tipping, tip } = await open()
  const inThread = (said: Said, parent_id: string) => {
    const thread = { ...said.channel, id: String(BigInt(said.channel.id) + 1n), type: 11, parent_id }
    return { ...said, channel_id: thread.id, channel: thread }
  }
  const [one, two] = [(await tip()) as Said, (await tip()) as Said]
  const change = { channels: [one.channel.id] }
  await tipping.preferences.changeServer({ guild: one.guild_id, member: '1', change })
  await hear(inThread(one, '123456789012345678'))
  expect(tips(tipping)).toEqual([])
  await hear(inThread(two, two.channel.id))
  expect(tips(tipping)).toHaveLength(1)
})

test('requests with missing fields are refused or ignored, and a later tip is given', async () => {
  const { bot, hear, tipping, tip } = await open()
  const outcomes = new Set<unknown>()
  for (const type of [2, 3, 4, 5]) {
    for (const more of [
      {},
      { token: 'x' },
      { data: null },
      { data: {}, user: {} },
      { data: { options: 7 }, channel: {} },
    ]) {
      const answer = bot.hear({ id: `1${type}`, type, ...more }, Promise.resolve())
      outcomes.add(await answer.catch((error: unknown) => (error as { code?: unknown }).code ?? String(error)))
    }
  }
  // Refused, or not answered if the kind is unknown.
  expect(outcomes).toEqual(new Set(['incomplete', undefined]))
  await hear((await tip()) as Said)
  expect(tips(tipping)).toHaveLength(1)
})

test('a request gets no answer if it is not an interaction or if the bot is closed', async () => {
  const { bot, clock } = await open()
  for (const said of [undefined, 7, {}, { id: '1', type: 99, token: 'x' }]) {
    expect(await bot.hear(said, Promise.resolve())).toBeUndefined()
  }
  await clock.advanceUntil(bot.close())
  expect(await bot.hear({ id: '1', type: 2 }, Promise.resolve())).toBeUndefined()
})

test('another application’s public key is refused with an explanation', async () => {
  const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy })
  onTestFinished(() => emulator.close())
  const bot = createBot({
    ...{ token: emulator.token, api: { rest: emulator.restUrl }, tipping: new FakeTipping() },
    ...{ clock: systemClock, logger: silentLogger, connection: { gateway: false, publicKey: 'ab'.repeat(32) } },
  })
  await expect(bot.ready).rejects.toThrow("DISCORD_PUBLIC_KEY is not the key of the bot's application")
  await bot.close()
})

test('an unknown thread belongs to the parent channel that the gateway’s event names', async () => {
  const client = new EventEmitter()
  const http = createHttpInteractions({
    clock: new ManualClock(),
    webhooks: {} as never,
    client: () => client as never,
  })
  http.hearThreads(client as never)
  const heard = { id: '1' }
  const d = { ...heard, channel: { id: '3', type: 11, parent_id: '2' } }
  client.emit(Events.Raw, { t: GatewayDispatchEvents.InteractionCreate, d })
  client.emit(Events.InteractionCreate, heard)
  expect(http.threadOf(heard)).toEqual({ parentId: '2' })

  const elsewhere = { id: '9' }
  client.emit(Events.InteractionCreate, elsewhere)
  expect(http.threadOf(elsewhere)).toBeUndefined()
})
