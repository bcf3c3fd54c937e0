import { Events, GatewayIntentBits } from 'discord.js'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { register, restOf, type StartedWorld, startBot, startWorld } from './fixture.ts'

interface Payload {
  readonly op: number
  readonly t: string | null
  readonly s: number | null
  readonly d: Record<string, unknown>
}

/** Opens a bare connection to the gateway, and records what it receives. */
async function connect(world: StartedWorld) {
  const { url } = (await restOf(world).get('/gateway/bot')) as { url: string }
  const socket = new WebSocket(`${url}/?v=10&encoding=json`)
  onTestFinished(() => socket.terminate())
  const received: Payload[] = []
  socket.on('message', (data) => received.push(JSON.parse(data.toString())))
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve) => socket.once('open', resolve))
  const send = (op: number, d: unknown) => socket.send(JSON.stringify({ op, d }))
  const identify = (more: object = {}) => send(2, { token: world.emulator.token, intents: 1, properties: {}, ...more })
  const names = () => received.flatMap(({ t }) => t ?? [])
  const event = (name: string) => received.find(({ t }) => t === name)
  return { received, closed, send, identify, names, event, socket }
}

test('a new connection gets HELLO, an answer to its heartbeat, READY and the servers', async () => {
  const { received, send, identify, event } = await connect(await startWorld())
  send(1, null)
  identify()
  await expect.poll(() => event('GUILD_CREATE')?.d.name).toBe('Lightning Lounge')
  expect(received[0]).toMatchObject({ op: 10, d: { heartbeat_interval: expect.any(Number) } })
  expect(received[1]).toMatchObject({ op: 11 })
  expect(event('READY')?.d).toMatchObject({ v: 10, resume_gateway_url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1/) })
})

test.each<[string, object | string, number]>([
  ['a wrong token', { op: 2, d: { token: 'wrong', intents: 1 } }, 4004],
  ['impossible intents', { op: 2, d: { intents: 2 ** 40 } }, 4013],
  ['intents that are not enabled', { op: 2, d: { intents: GatewayIntentBits.MessageContent } }, 4014],
  ['a shard beyond the count', { op: 2, d: { intents: 1, shard: [2, 2] } }, 4010],
  ['a message before identifying', { op: 8, d: {} }, 4003],
  ['a message that is not JSON', 'hello', 4002],
  ['a message of more than 4096 bytes', { op: 1, d: 'x'.repeat(4096) }, 4002],
])('the gateway ends a connection because of %s', async (_name, payload, code) => {
  const world = await startWorld({ disallowedIntents: GatewayIntentBits.MessageContent })
  const { socket, closed } = await connect(world)
  const { token } = world.emulator
  const text =
    typeof payload === 'string'
      ? payload
      : JSON.stringify(payload, (key, value) => (key === 'd' && value?.intents ? { token, ...value } : value))
  socket.send(text)
  expect(await closed).toBe(code)
})

test('intents decide which events arrive, and message content has its own intent', async () => {
  const world = await startWorld()
  const deaf = await connect(world)
  const curious = await connect(world)
  const reader = await connect(world)
  deaf.identify()
  curious.identify({ intents: GatewayIntentBits.GuildMessages })
  reader.identify({ intents: GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent })
  await expect.poll(() => [deaf, curious, reader].every(({ event }) => event('READY'))).toBe(true)
  world.bob.say(world.channels.general, 'secret')
  world.bob.react(world.channels.general, world.bob.conversation(world.channels.general)[0]?.id ?? '', '⚡')
  await expect.poll(() => reader.event('MESSAGE_CREATE')?.d.content).toBe('secret')
  expect(curious.event('MESSAGE_CREATE')?.d).toMatchObject({ content: '', author: { username: 'bob' } })
  expect(deaf.names()).toEqual(['READY', 'GUILD_CREATE'])
  expect(reader.names()).not.toContain('MESSAGE_REACTION_ADD')
  const mention = `hello <@${world.emulator.applicationId}>`
  world.bob.say(world.channels.general, mention)
  await expect.poll(() => curious.received.at(-1)?.d.content).toBe(mention)
})

test('commands in a server go to its shard, and those in direct messages to shard 0', async () => {
  const world = await startWorld()
  await register(world, [{ name: 'ping', description: 'x' }])
  const owner = Number((BigInt(world.serverId) >> 22n) % 3n)
  const shards = await Promise.all([0, 1, 2].map(() => connect(world)))
  for (const [index, shard] of shards.entries()) shard.identify({ shard: [index, 3] })
  await expect.poll(() => shards.every(({ event }) => event('READY'))).toBe(true)
  const heard = () => shards.map(({ names }) => names().filter((name) => name === 'INTERACTION_CREATE').length)
  const expected = [0, 0, 0]
  world.alice.run(world.channels.general, 'ping')
  expected[owner] = 1
  await expect.poll(heard).toEqual(expected)
  world.alice.run(world.alice.openDm(world.emulator.applicationId).id, 'ping')
  expected[0] = (expected[0] ?? 0) + 1
  await expect.poll(heard).toEqual(expected)
})

test('a session can be resumed with its missed events unless it has been forgotten', async () => {
  const world = await startWorld()
  const first = await connect(world)
  first.identify({ intents: 1 | GatewayIntentBits.GuildMessages })
  await expect.poll(() => first.event('GUILD_CREATE')).toBeDefined()
  const seq = first.received.at(-1)?.s
  world.emulator.faults.dropGateway()
  await first.closed
  world.bob.say(world.channels.general, 'anybody here?')
  const second = await connect(world)
  second.send(6, { token: world.emulator.token, session_id: first.event('READY')?.d.session_id, seq })
  await expect.poll(() => second.names()).toEqual(['MESSAGE_CREATE', 'RESUMED'])

  world.emulator.faults.dropGateway({ forgetSessions: true })
  const third = await connect(world)
  third.send(6, { token: world.emulator.token, session_id: first.event('READY')?.d.session_id, seq })
  await expect.poll(() => third.received.at(-1)).toMatchObject({ op: 9, d: false })
})

test('an unmodified discord.js client reconnects by itself and misses no message', async () => {
  const world = await startWorld()
  const client = await startBot(world)
  const heard: string[] = []
  client.on(Events.MessageCreate, ({ content }) => heard.push(content))
  world.emulator.faults.dropGateway()
  world.bob.say(world.channels.general, 'while you were away')
  await expect.poll(() => heard).toEqual(['while you were away'])
  await expect.poll(() => world.emulator.botOnline).toBe(true)
})

test('if an interaction is delivered more than once, only one answer is accepted', async () => {
  const world = await startWorld()
  await register(world, [{ name: 'ping', description: 'x' }])
  const client = await startBot(world)
  const outcomes: number[] = []
  client.on(Events.InteractionCreate, async (interaction) => {
    if (!interaction.isChatInputCommand()) return
    const outcome = interaction.reply('pong').then(
      () => 0,
      (error: { code: number }) => error.code,
    )
    outcomes.push(await outcome)
  })
  world.emulator.faults.duplicateNextInteraction()
  const handle = world.alice.run(world.channels.general, 'ping')
  await expect.poll(() => outcomes.toSorted((one, other) => one - other)).toEqual([0, 40060])
  world.emulator.faults.redeliver(handle.id)
  await expect.poll(() => outcomes[2]).toBe(40060)
  expect(handle.messages()).toHaveLength(1)
})
