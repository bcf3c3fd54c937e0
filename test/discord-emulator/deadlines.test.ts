import { Events, type Interaction } from 'discord.js'
import { expect, test } from 'vitest'
import { ManualClock } from '../support/manual-clock.ts'
import { refusal, register, restOf, startBot, startWorld } from './fixture.ts'

/** Returns an interaction that the bot has received and not answered, on a frozen clock. */
async function received() {
  const clock = new ManualClock()
  const world = await startWorld({ clock })
  await register(world, [{ name: 'ping', description: 'Answer' }])
  const client = await startBot(world)
  const arrival = new Promise<Interaction>((resolve) => client.once(Events.InteractionCreate, resolve))
  const handle = world.alice.run(world.channels.general, 'ping')
  const { id, token } = await arrival
  const rest = restOf(world)
  return {
    clock,
    world,
    handle,
    rest,
    respond: (body: unknown) => rest.post(`/interactions/${id}/${token}/callback`, { body, auth: false }),
    hook: `/webhooks/${world.emulator.applicationId}/${token}` as const,
  }
}

test('a first response within 3 seconds is accepted', async () => {
  const { clock, respond, handle } = await received()
  await clock.advance(2999)
  await respond({ type: 4, data: { content: 'pong' } })
  expect(handle.view()).toMatchObject({ state: 'answered', acknowledgedAfterMs: 2999, failure: null })
})

test('an unanswered interaction expires after 3 seconds, and the person sees why', async () => {
  const { clock, respond, handle } = await received()
  const failed = handle.answered()
  await clock.advance(3001)
  expect(await failed).toMatchObject({ state: 'failed', failure: 'The application did not respond' })
  expect(await refusal(respond({ type: 5 }))).toMatchObject({ status: 404, code: 10062 })
})

test('a second response to an interaction is refused', async () => {
  const { respond } = await received()
  await respond({ type: 5 })
  expect(await refusal(respond({ type: 4, data: { content: 'again' } }))).toMatchObject({ status: 400, code: 40060 })
})

test('a refused response does not count as the first response', async () => {
  const { respond, handle } = await received()
  expect(await refusal(respond({ type: 4, data: { content: 'x'.repeat(2001) } }))).toMatchObject({
    code: 50035,
    rawError: { errors: { data: { content: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH' }] } } } },
  })
  await respond({ type: 4, data: { content: 'short' } })
  expect(handle.view().state).toBe('answered')
})

test('a followup is refused before the first response', async () => {
  const { rest, hook } = await received()
  expect(await refusal(rest.post(hook, { body: { content: 'hi' }, auth: false }))).toMatchObject({ code: 10015 })
})

test('an interaction token expires after 15 minutes', async () => {
  const { clock, respond, rest, hook } = await received()
  await respond({ type: 5 })
  await clock.advance(15 * 60_000)
  await rest.patch(`${hook}/messages/@original`, { body: { content: 'just in time' }, auth: false })
  await clock.advance(1)
  for (const late of [
    rest.patch(`${hook}/messages/@original`, { body: { content: 'late' }, auth: false }),
    rest.post(hook, { body: { content: 'late' }, auth: false }),
  ])
    expect(await refusal(late)).toMatchObject({ status: 401, code: 50027 })
})

test('a deferred response with a flag besides “ephemeral” is refused', async () => {
  const { respond } = await received()
  expect(await refusal(respond({ type: 5, data: { flags: 64 | (1 << 15) } }))).toMatchObject({
    code: 50035,
    rawError: { errors: { data: { flags: { _errors: [{ code: 'MESSAGE_FLAGS_INVALID' }] } } } },
  })
})

test('the first followup fills the deferred response and keeps its visibility', async () => {
  const { world, handle, respond, rest, hook } = await received()
  await respond({ type: 5, data: { flags: 64 } })
  expect(handle.view().state).toBe('deferred')
  expect(handle.messages()).toMatchObject([{ loading: true, ephemeral: true }])
  await rest.post(hook, { body: { content: 'public?' }, auth: false })
  expect(handle.messages()).toMatchObject([{ content: 'public?', loading: false, ephemeral: true }])
  expect(world.bob.conversation(world.channels.general)).toEqual([])
  await rest.post(hook, { body: { content: 'public!' }, auth: false })
  expect(world.bob.conversation(world.channels.general)).toMatchObject([{ content: 'public!' }])
})

test('an interaction’s webhook can read, edit and delete only its own answer', async () => {
  const { world, handle, respond, rest, hook } = await received()
  await respond({ type: 4, data: { content: 'one', flags: 64 } })
  const id = handle.view().messageIds[0]
  await rest.patch(`${hook}/messages/${id}`, { body: { content: 'two', flags: 0 }, auth: false })
  expect(await rest.get(`${hook}/messages/@original`, { auth: false })).toMatchObject({ id, content: 'two', flags: 64 })
  const other = world.bob.say(world.channels.general, 'mine')
  const edit = rest.patch(`${hook}/messages/${other.id}`, { body: { content: 'hers' }, auth: false })
  expect(await refusal(edit)).toMatchObject({ code: 10008 })
  await rest.delete(`${hook}/messages/@original`, { auth: false })
  expect(handle.messages()).toEqual([])
})

test.each([
  ['an update of a message', 7],
  ['autocomplete choices', 8],
  ['a pong', 1],
])('a command cannot be answered with %s', async (_name, type) => {
  const { respond } = await received()
  expect(await refusal(respond({ type, data: { choices: [] } }))).toMatchObject({
    rawError: { errors: { type: { _errors: [{ code: 'BASE_TYPE_CHOICES' }] } } },
  })
})
