import { Routes } from 'discord.js'
import { expect, test } from 'vitest'
import { ManualClock } from '../support/manual-clock.ts'
import { refusal, restOf, startWorld } from './fixture.ts'

test('the 51st request in one second gets a 429 unless it answers an interaction', async () => {
  const clock = new ManualClock()
  const { emulator } = await startWorld({ clock, requestsPerSecond: 50 })
  const get = (path: string) =>
    fetch(`${emulator.restUrl}/v10${path}`, { headers: { authorization: `Bot ${emulator.token}` } })
  const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await get('/users/@me')).status))
  expect(new Set(statuses)).toEqual(new Set([200]))
  const refused = await get('/users/@me')
  expect(refused.status).toBe(429)
  expect(await refused.json()).toEqual({ message: 'You are being rate limited.', retry_after: 1, global: true })
  expect((await get('/webhooks/1/unknown/messages/@original')).status).toBe(404)
  await clock.advance(1000)
  expect((await get('/users/@me')).status).toBe(200)
})

test('the client repeats a request after a planned rate limit has ended', async () => {
  const world = await startWorld()
  world.emulator.faults.rateLimitNext({ retryAfterSeconds: 0.05 })
  expect(await restOf(world).get(Routes.user())).toMatchObject({ bot: true })
  expect(world.emulator.requests().map(({ status }) => status)).toEqual([429, 200])
})

test('planned failures and lost answers affect only the chosen requests', async () => {
  const world = await startWorld()
  const rest = restOf(world)
  const { faults } = world.emulator
  const path = Routes.channelMessages(world.channels.general)
  faults.failNext(503, { method: 'POST', path: /messages$/ })
  expect(await rest.get(Routes.user())).toMatchObject({ bot: true })
  expect(await refusal(rest.post(path, { body: { content: 'a' } }))).toMatchObject({ status: 503 })
  expect(world.bob.conversation(world.channels.general)).toEqual([])
  faults.loseNextAnswer({ method: 'POST' })
  await expect(rest.post(path, { body: { content: 'b' } })).rejects.toThrow()
  expect(world.bob.conversation(world.channels.general)).toMatchObject([{ content: 'b' }])
})

test('a message with an enforced nonce is posted only once, even if it is sent twice', async () => {
  const world = await startWorld()
  const body = { content: 'paid', nonce: 'invoice-7', enforce_nonce: true }
  const send = () =>
    restOf(world).post(Routes.channelMessages(world.channels.general), { body }) as Promise<{ id: string }>
  expect((await send()).id).toBe((await send()).id)
})

test('bad requests are refused with Discord’s own status and error codes', async () => {
  const world = await startWorld()
  const rest = restOf(world)
  expect(await refusal(restOf(world).setToken('wrong').get(Routes.user()))).toMatchObject({ status: 401 })
  expect(await refusal(rest.get('/nowhere'))).toMatchObject({
    status: 404,
    rawError: { message: '404: Not Found', code: 0 },
  })
  expect(await refusal(rest.get(Routes.channel('1')))).toMatchObject({ code: 10003 })
  expect(await refusal(rest.get(Routes.channelMessage(world.channels.tips, '1')))).toMatchObject({ code: 10008 })
  expect(await refusal(rest.get(Routes.guild('1')))).toMatchObject({ code: 10004 })
  expect(await refusal(rest.get(Routes.guildMember(world.serverId, '1')))).toMatchObject({ code: 10007 })
  expect(await refusal(rest.get(Routes.user('1')))).toMatchObject({ code: 10013 })
  const mine = world.bob.say(world.channels.tips, 'mine')
  const edit = rest.patch(Routes.channelMessage(world.channels.tips, mine.id), { body: { content: 'yours' } })
  expect(await refusal(edit)).toMatchObject({ code: 50005 })
  const broken = await fetch(`${world.emulator.restUrl}/v10${Routes.channelMessages(world.channels.tips)}`, {
    method: 'POST',
    headers: { authorization: `Bot ${world.emulator.token}`, 'content-type': 'application/json' },
    body: '{',
  })
  expect(await broken.json()).toMatchObject({ code: 50109 })
  expect(world.emulator.requests().map(({ path }) => path)).toContain('/nowhere')
})

test('direct messages to strangers and to people who accept none are refused', async () => {
  const world = await startWorld()
  const rest = restOf(world)
  const write = async (recipient_id: string) => {
    const { id } = (await rest.post(Routes.userChannels(), { body: { recipient_id } })) as { id: string }
    return await rest.post(Routes.channelMessages(id), { body: { content: 'hello' } })
  }
  await write(world.people.bob)
  world.bob.setDmsOpen(false)
  expect(await refusal(write(world.people.bob))).toMatchObject({ status: 403, code: 50007 })
  const stranger = world.emulator.world.createPerson({ username: 'stranger' })
  expect(await refusal(write(stranger.id))).toMatchObject({ code: 50278 })
})

test('a mention notifies only those that permissions and allowed_mentions allow', async () => {
  const world = await startWorld()
  const { bob, carol } = world.people
  const { moderators } = world.roles
  const say = async (content: string, allowed_mentions?: object) => {
    const sent = restOf(world).post(Routes.channelMessages(world.channels.general), {
      body: { content, allowed_mentions },
    })
    const { id } = (await sent) as { id: string }
    return world.alice.conversation(world.channels.general).find((message) => message.id === id)?.notifies
  }
  const all = `<@${bob}> <@${carol}> <@&${moderators}> @everyone`
  expect(await say(all)).toEqual({ personIds: [bob, carol], roleIds: [moderators], everyone: false })
  expect(await say(all, { parse: [] })).toEqual({ personIds: [], roleIds: [], everyone: false })
  expect(await say(all, { users: [bob] })).toEqual({ personIds: [bob], roleIds: [], everyone: false })
})

test('requests are recorded with their parsed bodies and files', async () => {
  const world = await startWorld()
  const files = [{ name: 'a.txt', data: Buffer.from('abc') }]
  const path = Routes.channelMessages(world.channels.general)
  await restOf(world).post(path, { body: { content: 'a' }, files })
  expect(world.emulator.requests()).toMatchObject([
    { method: 'POST', path, body: { content: 'a' }, files: [{ name: 'a.txt', bytes: 3 }], status: 200 },
  ])
  world.emulator.clearRequests()
  expect(world.emulator.requests()).toEqual([])
})
