import { afterEach, beforeEach, expect, it } from 'vitest'
import { OutboxWorld } from './outbox-world.ts'

let world: OutboxWorld
beforeEach(async () => {
  world = await OutboxWorld.open()
})
afterEach(() => world.close())

// On a server a second note may have failed by the time the first is heard of.
it.skipIf(process.env.DATABASE === 'postgres')(
  'callbacks whose delivery cannot be recorded are retried with the same ids',
  async () => {
    await world.tell(1)
    await world.tell(2)
    world.disk.full = true
    world.start()
    await world.until(() => world.log.length > 0)
    expect(world.log).toMatchObject([
      { level: 'error', msg: 'deliveries could not be noted', callbacks: 2, err: { message: 'the disk is full' } },
    ])
    expect(world.numbers).toEqual([1, 2])
    await world.pass(4_999)
    expect(world.numbers).toEqual([1, 2])
    world.disk.full = false
    await world.pass(1)
    await world.until(async () => (await world.rows()).every(({ deliveredAt }) => deliveredAt !== null))
    expect(world.numbers).toEqual([1, 2, 1, 2])
    const ids = world.attempts.map(({ headers }) => headers['webhook-id'])
    expect(ids.slice(2)).toEqual(ids.slice(0, 2))
  },
)

it('an unreadable book is reported, and callbacks are sent once it is readable', async () => {
  await world.tell(1)
  world.disk.unreadable = true
  world.start()
  await world.until(() => world.log.length > 0)
  expect(world.log[0]).toMatchObject({
    level: 'error',
    msg: 'callbacks cannot be delivered just now',
    err: { message: 'the database is away' },
  })
  world.disk.unreadable = false
  await world.pass(60_000)
  await world.until(() => world.numbers.length === 1)
})

it('a callback whose secrets cannot be read is reported and delivered later', async () => {
  world.start()
  await world.idle()
  const secrets = world.database.read.callbackSecret
  const { findMany } = secrets
  let attempts = 0
  Object.assign(secrets, {
    findMany: (asked: never) => {
      attempts += 1
      return attempts === 1 ? Promise.reject(new Error('the disk is broken')) : findMany.call(secrets, asked)
    },
  })
  await world.tell(1)
  await world.until(() => world.numbers.length === 1)
  Object.assign(secrets, { findMany })
  const [row] = await world.rows()
  expect(world.log).toMatchObject([
    {
      level: 'error',
      msg: 'a callback could not be delivered',
      callback: row?.messageId,
      err: { message: 'the disk is broken' },
    },
  ])
})
