import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import {
  type CallbackRecord,
  callbackRows,
  recordCallback,
} from '../../../src/payments-service/engine/outbox/record-callback.ts'
import { refuseDeadEnd } from '../../../src/payments-service/engine/outbox/refuse-dead-end.ts'
import { createSigningSecrets } from '../../../src/payments-service/engine/outbox/signing-secrets.ts'
import { OutboxWorld } from './outbox-world.ts'

let world: OutboxWorld
beforeEach(async () => {
  world = await OutboxWorld.open()
})
afterEach(() => world.close())

describe('a recorded callback', () => {
  const about = (change: Partial<CallbackRecord> = {}): CallbackRecord => ({
    ...{ projectId: 'shop', resource: 'charge:1', url: 'https://shop.example:8443/hook?a=1', kind: 'charge' },
    body: { number: 1 } as never,
    ...change,
  })
  const stored = () => ({
    messageId: expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
    projectId: 'shop',
    resource: 'charge:1',
    receiver: 'https://shop.example:8443',
    url: 'https://shop.example:8443/hook?a=1',
    body: '{"number":1}',
    kind: 'charge',
    createdAt: new Date(world.clock.now()),
    nextAttemptAt: new Date(world.clock.now()),
    deliveredAt: null,
  })
  const parts = () => ({ clock: world.clock, entropy: systemEntropy })
  const record = (callback: CallbackRecord) =>
    world.database.write.$transaction((tx) => recordCallback(parts(), tx, callback))

  it('is stored with all data for its delivery and is due immediately', async () => {
    expect(callbackRows(parts(), about())).toEqual([{ table: 'Callback', values: stored() }])
    await record(about())
    expect(await world.rows()).toMatchObject([stored()])
  })

  it('is stored only for the event stream if it has no URL', async () => {
    const now = new Date(world.clock.now())
    await record(about({ url: '' }))
    const told = { ...stored(), url: '', receiver: '', nextAttemptAt: null, deliveredAt: now, attempts: 0 }
    expect(await world.rows()).toMatchObject([told])
  })

  it('is not stored if it has no project', async () => {
    expect(callbackRows(parts(), about({ projectId: null }))).toEqual([])
    await record(about({ projectId: null }))
    expect(await world.rows()).toEqual([])
  })
})

it('a bug in the address check is thrown instead of being reported as a refusal', () => {
  const bug = new Error('a bug')
  const mayReachLoopback = () => {
    throw bug
  }
  expect(() => refuseDeadEnd({ callbacks: { mayReachLoopback } }, 'shop', 'https://shop.example/')).toThrow(bug)
  expect(() => refuseDeadEnd({ callbacks: { mayReachLoopback } }, 'shop', '')).not.toThrow()
})

it('a project’s active secrets sign callbacks, newest first, and are cached for 1 s', async () => {
  const add = (id: string, ageMs: number, retired = false) => {
    const createdAt = new Date(world.clock.now() - ageMs)
    const data = { id, projectId: 'shop', secret: id, createdAt, retiredAt: retired ? createdAt : null }
    return world.database.write.callbackSecret.create({ data })
  }
  await add('oldest', 3_000)
  await add('newer', -1_000)
  await add('retired', 2_000, true)
  const secretsOf = createSigningSecrets(world)
  const [newest, , last, ...others] = await secretsOf('shop')
  expect([newest, last, others]).toEqual(['newer', 'oldest', []])
  await add('newest', -2_000)
  await world.clock.advance(999)
  expect((await secretsOf('shop'))[0]).toBe('newer')
  await world.clock.advance(1)
  expect((await secretsOf('shop'))[0]).toBe('newest')
  expect(await secretsOf('nobody')).toEqual([])
})
