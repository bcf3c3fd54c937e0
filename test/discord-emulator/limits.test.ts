import { Routes } from 'discord.js'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ManualClock } from '../support/manual-clock.ts'
import { faultAt, refusal, restOf, type StartedWorld, startWorld } from './fixture.ts'

const HOUR_MS = 3_600_000
const SERVER_MEMBERS = 1 << 1

/** Calls the REST interface directly, without the client, which would wait and retry. */
function call(
  { emulator }: StartedWorld,
  path: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
) {
  return fetch(`${emulator.restUrl}/v10${path}`, {
    method,
    headers: { authorization: `Bot ${emulator.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
}

test('members are listed only if the application has the members intent', async () => {
  const open = await startWorld()
  expect(
    await restOf(open).get(Routes.guildMembers(open.serverId), { query: new URLSearchParams({ limit: '2' }) }),
  ).toHaveLength(2)
  const closed = await startWorld({ disallowedIntents: SERVER_MEMBERS })
  expect(await refusal(restOf(closed).get(Routes.guildMembers(closed.serverId)))).toMatchObject({
    status: 403,
    code: 50001,
  })
  // A single member is not a list, and counts name nobody.
  expect(await restOf(closed).get(Routes.guildMember(closed.serverId, closed.people.alice))).toBeDefined()
  const counts = await restOf(closed).get(`/guilds/${closed.serverId}/roles/member-counts`)
  expect(counts).toMatchObject({ [closed.roles.regulars]: 2 })
})

test('a message older than an hour can be edited only 3 times in 20 seconds', async () => {
  const clock = new ManualClock()
  const world = await startWorld({ clock })
  const base = `/channels/${world.channels.general}/messages`
  const { id } = (await (await call(world, base, { method: 'POST', body: { content: '0' } })).json()) as { id: string }
  const edits = async () => {
    const codes: number[] = []
    for (let nth = 1; nth <= 4; nth += 1) {
      const answer = await call(world, `${base}/${id}`, { method: 'PATCH', body: { content: `${nth}` } })
      codes.push(((await answer.json()) as { code?: number }).code ?? answer.status)
    }
    return codes
  }
  expect(await edits()).toEqual([200, 200, 200, 200])
  await clock.advance(HOUR_MS + 1)
  expect(await edits()).toEqual([200, 200, 200, 30_046])
  await clock.advance(20_000)
  expect(await edits()).toEqual([200, 200, 200, 30_046])
})

test('a channel accepts at most 5 messages in 5 seconds, and headers state this limit', async () => {
  const clock = new ManualClock()
  const world = await startWorld({ clock, requestsPerSecond: 1_000, routeLimits: true })
  const say = (channel: string) =>
    call(world, `/channels/${channel}/messages`, { method: 'POST', body: { content: 'x' } })
  const { general, tips } = world.channels
  const answers: Response[] = []
  for (let nth = 1; nth <= 6; nth += 1) answers.push(await say(general))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
  const [first, , , , fifth, sixth] = answers.map(({ headers }) => headers)
  expect(first?.get('x-ratelimit-limit')).toBe('5')
  expect(first?.get('x-ratelimit-remaining')).toBe('4')
  expect(fifth?.get('x-ratelimit-remaining')).toBe('0')
  expect(sixth?.get('retry-after')).toBe('5')
  const other = await say(tips)
  expect([other.status, other.headers.get('x-ratelimit-bucket')]).toEqual([200, first?.get('x-ratelimit-bucket')])
  await clock.advance(5_000)
  expect((await say(general)).status).toBe(200)
})

test('an IP address that has sent 10,000 invalid calls is banned for 10 minutes', async () => {
  const clock = new ManualClock()
  const world = await startWorld({ clock, requestsPerSecond: 1_000_000, routeLimits: true })
  const wrong = () => fetch(`${world.emulator.restUrl}/v10/users/@me`, { headers: { authorization: 'Bot wrong' } })
  for (let round = 0; round < 100; round += 1)
    await Promise.all(Array.from({ length: 100 }, async () => (await wrong()).text()))
  const banned = await call(world, '/users/@me')
  expect([banned.status, await banned.text()]).toEqual([429, 'error code: 1015'])
  await clock.advance(600_001)
  expect((await call(world, '/users/@me')).status).toBe(200)
})

test('only the permitted number of sessions can begin within 5 seconds', async () => {
  const clock = new ManualClock()
  const { emulator } = await startWorld({ clock, maxConcurrency: 1 })
  const [first, second] = [await identify(emulator), await identify(emulator)]
  expect([first, second]).toEqual(['READY', 9])
  await clock.advance(5_000)
  expect(await identify(emulator)).toBe('READY')
})

/** Returns how the gateway first answers a new session: an event's name, or an opcode. */
async function identify({ restUrl, token }: StartedWorld['emulator']): Promise<unknown> {
  const socket = new WebSocket(`${restUrl.replace('http', 'ws').replace('/api', '')}/gateway`)
  const said = await new Promise((resolve) => {
    socket.on('message', (data) => {
      const { op, t } = JSON.parse(String(data)) as { op: number; t: string | null }
      const d = { token, intents: 0, properties: {} }
      if (op === 10) socket.send(JSON.stringify({ op: 2, d }))
      else resolve(t ?? op)
    })
  })
  socket.terminate()
  return said
}

test('a button’s emoji field accepts emoji and no other text', async () => {
  const world = await startWorld()
  const send = (emoji: object) => {
    const button = { type: 2, style: 1, custom_id: 'x', label: 'x', emoji }
    const body = { components: [{ type: 1, components: [button] }] }
    return restOf(world).post(Routes.channelMessages(world.channels.general), { body })
  }
  for (const name of ['⚡', '🎟️', '👨‍👩‍👧', '▶', '🇪🇺']) await send({ name })
  await send({ id: '123456789012345678', name: 'sats' })
  for (const name of ['sats', '', '⚡⚡', '✗'])
    expect(faultAt(await refusal(send({ name })), 'components.0.components.0.emoji.name')).toBe(
      'COMPONENT_INVALID_EMOJI',
    )
})

test('a test can plan a refusal with any error code', async () => {
  const world = await startWorld()
  const open = () => restOf(world).post(Routes.userChannels(), { body: { recipient_id: world.people.bob } })
  world.emulator.faults.refuseNext({ status: 400, code: 40_003 }, { path: /^\/users\/@me\/channels$/ })
  expect(await refusal(open())).toMatchObject({ status: 400, code: 40_003 })
  await open()
})

test('an installation adds only commands until the application’s settings add the bot', async () => {
  const world = await startWorld()
  const rest = restOf(world)
  const scopes = async () => {
    const { integration_types_config: config } = (await rest.get(Routes.currentApplication())) as {
      integration_types_config: Record<string, { oauth2_install_params?: { scopes: string[] } }>
    }
    return Object.entries(config).map(([kind, { oauth2_install_params: params }]) => [kind, params?.scopes])
  }
  expect(await scopes()).toEqual([
    ['0', ['applications.commands']],
    ['1', ['applications.commands']],
  ])
  const params = { scopes: ['bot', 'applications.commands'], permissions: '2048' }
  const body = {
    integration_types_config: { '0': { oauth2_install_params: params } },
    tags: ['tips'],
    description: 'x',
  }
  expect(await rest.patch(Routes.currentApplication(), { body })).toMatchObject({ tags: ['tips'], description: 'x' })
  expect(await scopes()).toEqual([['0', ['bot', 'applications.commands']]])
  const wrong = {
    tags: ['1', '2', '3', '4', '5', '6'],
    description: 'x'.repeat(401),
    interactions_endpoint_url: 'http://127.0.0.1:9',
  }
  const refused = await refusal(rest.patch(Routes.currentApplication(), { body: wrong }))
  expect([faultAt(refused, 'tags'), faultAt(refused, 'description')]).toEqual([
    'BASE_TYPE_MAX_LENGTH',
    'BASE_TYPE_MAX_LENGTH',
  ])
})
