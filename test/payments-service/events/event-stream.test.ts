import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { createPaymentsClient, eventStream, verifyCallback } from '../../../src/payments-api/payments-api.ts'
import { createServiceFeed } from '../../../src/payments-service/events/event-feed.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { EventReader } from './event-reader.ts'

let world: ServiceWorld
let project: TestProject
const readers: EventReader[] = []

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(1_000_000))
})
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.close()
  await world.close()
})

const DAY_MS = 86_400_000
async function listen(lastEventId?: string, { apiKey } = project): Promise<EventReader> {
  const reader = await EventReader.open(world.url, apiKey, lastEventId)
  readers.push(reader)
  return reader
}
/** Waits until a condition holds, and lets the service's timers fire. */
const until = (holds: () => boolean) =>
  world.until(async () => {
    await world.clock.advance(400)
    return holds()
  })
const hasHeard = (reader: EventReader, count: number) => until(() => reader.events.length >= count)
/**
 * Creates a charge of the project and pays it inside the books, which produces one event. Resolves to the charge's id.
 */
async function paid(internalId: string, by: TestProject = project): Promise<string> {
  const { data } = await by.client.createCharge({ amount: sats(1), description: '', internalId })
  const payer = await world.project(sats(10))
  await payer.client.sendPayment({ invoice: data.invoice.request })
  return data.id
}
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => String(from + at))
const internalIds = (reader: EventReader) => reader.bodies.map(({ internalId }) => internalId)

it('200: the stream sends each event with every field, signed like a callback', async () => {
  const reader = await listen()
  expect(reader.response.status).toBe(200)
  expect(reader.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const id = await paid('order 7')
  await hasHeard(reader, 1)
  const [event] = reader.events
  expect(event).toEqual({
    id: expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
    event: 'projectCharge',
    data: {
      id: event?.id,
      createdAt: '2030-01-01T00:00:00.000Z',
      timestamp: expect.stringMatching(/^\d{10}$/),
      signature: expect.stringMatching(/^v1,/),
      body: expect.any(String),
    },
  })
  const shown = (await project.client.getCharge({ id })).data
  expect(reader.bodies[0]).toMatchObject({ id, status: 'completed', internalId: 'order 7', amount: `${shown.amount}` })
  const { body = '', timestamp, signature } = event?.data ?? {}
  const headers = { 'webhook-id': event?.id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  const secrets = [project.callbackSecret]
  expect(verifyCallback({ headers, body, secrets, clock: world.clock })).toEqual({ genuine: true, id: event?.id })
  const forged = verifyCallback({ headers, body: `${body} `, secrets, clock: world.clock })
  expect(forged).toMatchObject({ genuine: false })
})

it('the stream can resume after any event and neither loses nor repeats an event', async () => {
  const first = await listen()
  for (const name of numbers(1, 6)) await paid(name)
  await hasHeard(first, 6)
  await first.close()
  for (const name of numbers(7, 9)) await paid(name)
  for (const [at, id] of first.ids.entries()) {
    const again = await listen(id)
    await hasHeard(again, 9 - (at + 1))
    expect(internalIds(again)).toEqual(numbers(at + 2, 9))
  }
  const live = readers.at(1) as EventReader
  await paid('10')
  await until(() => internalIds(live).includes('10'))
  expect(internalIds(live)).toEqual(numbers(2, 10))
})

it('without Last-Event-ID, the stream begins with new events', async () => {
  await paid('before')
  const reader = await listen()
  await paid('after')
  await hasHeard(reader, 1)
  expect(internalIds(reader)).toEqual(['after'])
})

it('the stream sends 100 events to 100 readers, each once and in order', async () => {
  const keys = await Promise.all(
    Array.from({ length: 10 }, () => world.administration.createKey(project.projectId, { scopes: ['read'] })),
  )
  const hundred: EventReader[] = []
  for (const { apiKey } of keys)
    for (let nth = 0; nth < 10; nth += 1) hundred.push(await listen(undefined, { ...project, apiKey }))
  await Promise.all(numbers(1, 100).map((name) => paid(name)))
  await until(() => hundred.every(({ events }) => events.length >= 100))
  const told = hundred[0]?.ids ?? []
  expect(new Set(told).size).toBe(100)
  for (const reader of hundred) expect(reader.ids).toEqual(told)
})

it('a project’s stream has only its own events and refuses other projects’ event ids', async () => {
  const other = await world.project()
  const [mine, theirs] = [await listen(), await listen(undefined, other)]
  await paid('mine')
  await paid('theirs', other)
  await hasHeard(mine, 1)
  await hasHeard(theirs, 1)
  expect([internalIds(mine), internalIds(theirs)]).toEqual([['mine'], ['theirs']])
  const headers = { 'last-event-id': theirs.ids[0] ?? '' }
  expectRefusal(await world.raw('GET', '/v0/events', { apiKey: project.apiKey, headers }), 410, 'events_expired')
})

it('the stream sends cashable codes only to keys that may send', async () => {
  const { apiKey } = await world.administration.createKey(project.projectId, { scopes: ['read'] })
  const [all, some] = [await listen(), await listen(undefined, { ...project, apiKey })]
  const { data } = await project.client.createWithdrawalRequest({ amount: sats(20), internalId: 'w', expiresIn: 60 })
  await project.client.cancelWithdrawalRequest({ id: data.id })
  await paid('after')
  await hasHeard(all, 2)
  await hasHeard(some, 1)
  expect(all.events.map(({ event }) => event)).toEqual(['withdrawalRequest', 'projectCharge'])
  expect(some.events.map(({ event }) => event)).toEqual(['projectCharge'])
  const resumed = await listen(all.ids[0], { ...project, apiKey })
  await hasHeard(resumed, 1)
  expect(internalIds(resumed)).toEqual(['after'])
})

it('410 events_expired: the stream refuses unknown ids and ids over three days old', async () => {
  const reader = await listen()
  await paid('old')
  await hasHeard(reader, 1)
  await reader.close()
  const [id = ''] = reader.ids
  const ask = (lastEventId: string) =>
    world.raw('GET', '/v0/events', { apiKey: project.apiKey, headers: { 'last-event-id': lastEventId } })
  await world.leap(2 * DAY_MS)
  await paid('later')
  const resumed = await listen(id)
  await hasHeard(resumed, 1)
  expect(internalIds(resumed)).toEqual(['later'])
  await world.leap(DAY_MS + 60_000)
  const late = await ask(id)
  expectRefusal(late, 410, 'events_expired')
  expect(late.json.message).toMatch(/List Transactions.*leave Last-Event-ID out/)
  await world.leap(4 * DAY_MS)
  expectRefusal(await ask(id), 410, 'events_expired')
  expectRefusal(await ask('msg_00000000-0000-4000-8000-000000000000'), 410, 'events_expired')
})

it('400: the stream refuses an invalid Last-Event-ID and any query parameter', async () => {
  const { apiKey } = project
  for (const id of ['1', 'x', 'msg_', `msg_${'g'.repeat(36)}`, '-1', '%00'])
    expectRefusal(
      await world.raw('GET', '/v0/events', { apiKey, headers: { 'last-event-id': id } }),
      400,
      'invalid_cursor',
    )
  expectRefusal(await world.raw('GET', '/v0/events?after=1', { apiKey }), 400, 'unknown_field')
})

it('401, 403, 405: the stream refuses a missing key, a missing scope and a POST', async () => {
  expectRefusal(await world.raw('GET', '/v0/events'), 401, 'missing_api_key')
  expectRefusal(await world.raw('GET', '/v0/events', { apiKey: 'x' }), 401, 'unknown_api_key')
  const { apiKey } = await world.administration.createKey(project.projectId, { scopes: ['send'] })
  expectRefusal(await world.raw('GET', '/v0/events', { apiKey }), 403, 'missing_scope')
  expectRefusal(await world.raw('POST', '/v0/events', { apiKey, body: {} }), 405, 'wrong_verb')
})

it('429: the service refuses a key’s 51st stream without affecting other keys', async () => {
  for (let nth = 0; nth < 50; nth += 1) {
    const reader = await listen()
    await until(() => reader.response.status === 200)
  }
  expectRefusal(await world.raw('GET', '/v0/events', { apiKey: project.apiKey }), 429, 'rate_limited')
  expect((await listen(undefined, await world.project())).response.status).toBe(200)
})

it('the stream ends soon after its key is revoked', async () => {
  const { apiKey, keyId } = await world.administration.createKey(project.projectId, { scopes: ['read'] })
  const reader = await listen(undefined, { ...project, apiKey })
  await world.administration.revokeKey(keyId)
  let ended = false
  void reader.ended.then(() => {
    ended = true
  })
  await until(() => ended)
  expect(reader.events).toEqual([])
})

/** Creates this many events with bodies of 100,000 characters, one after the other. */
async function tellMuch(count: number, told: (at: number) => Promise<void> = async () => undefined): Promise<void> {
  const big = 'x'.repeat(100_000)
  for (let at = 0; at < count; at += 1) {
    const now = new Date(world.clock.now())
    const values = {
      ...{ messageId: idOf(at), projectId: project.projectId, resource: `payment:${at}`, kind: 'payment' },
      ...{ url: '', receiver: '', body: JSON.stringify({ at, big }), nextAttemptAt: null },
      ...{ createdAt: now, deliveredAt: now },
    }
    await world.service.parts.ledger.commit({ rows: [{ table: 'Callback', values }] })
    await told(at)
  }
}
const idOf = (at: number) => `msg_${String(at).padStart(36, '0')}`

/** Connects as a program that reads nothing. */
async function connectSilently(lastEventId = '') {
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.pause()
  socket.on('error', () => undefined)
  const headers = ['Host: x', `apikey: ${project.apiKey}`, `Last-Event-ID: ${lastEventId}`]
  socket.write(`GET /v0/events HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
  let isClosed = false
  socket.on('close', () => {
    isClosed = true
  })
  return { socket, isClosed: () => isClosed }
}

it('a reader that stops reading is disconnected, and other readers get all events', async () => {
  const reading = await listen()
  const { socket, isClosed } = await connectSilently()
  await until(() => true)
  await tellMuch(200, (at) => hasHeard(reading, at + 1))
  expect(reading.bodies.map(({ at }) => at)).toEqual(Array.from({ length: 200 }, (_, at) => at))
  socket.resume()
  await until(isClosed)
  expect(socket.bytesRead).toBeLessThan(15_000_000)
})

it('the stream catches up as fast as its reader reads', async () => {
  await tellMuch(250)
  const { socket, isClosed } = await connectSilently(idOf(0))
  const behind = await listen(idOf(0))
  // The clock stands still: however slow the machine is, nobody has stalled.
  await world.until(() => behind.events.length === 249)
  expect(behind.bodies.map(({ at }) => at)).toEqual(Array.from({ length: 249 }, (_, at) => at + 1))
  await world.clock.advance(31_000)
  socket.resume()
  await until(isClosed)
  expect(socket.bytesRead).toBeLessThan(20_000_000)
})

it('the stream contains events that another process on the same book commits', async () => {
  const other = createServiceFeed(world.service.parts)
  const written: string[] = []
  const response = Object.assign(new EventTarget(), {
    ...{ destroyed: false, writableLength: 0, writableNeedDrain: false },
    ...{ writeHead: () => undefined, on: () => undefined, end: () => undefined, destroy: () => undefined },
    write: (text: string) => void written.push(text),
  })
  const to = { projectId: project.projectId, scopes: new Set(['read']) }
  const reader = { key: 'k', to, response: response as never, since: undefined, isWelcome: async () => true }
  await other.add(reader)
  await paid('1')
  await until(() => written.join('').includes('projectCharge'))
  expect(written.join('').match(/^id: /gm)).toHaveLength(1)
  await other.close()
})

it('the stream resumes at the same place after a restart', async () => {
  const reader = await listen()
  await paid('1')
  await hasHeard(reader, 1)
  await world.restart()
  await reader.ended
  const client = createPaymentsClient({ baseUrl: world.url, apiKey: project.apiKey, clock: world.clock })
  await paid('2', { ...project, client })
  await client.close()
  const again = await listen(reader.ids[0])
  await hasHeard(again, 1)
  expect(internalIds(again)).toEqual(['2'])
})

it('the stream’s declaration lists its refusals', () => {
  const own = ['unknown_field', 'invalid_cursor', 'events_expired', 'too_many_readers']
  expect(eventStream.refusals).toEqual(expect.arrayContaining(own))
})
