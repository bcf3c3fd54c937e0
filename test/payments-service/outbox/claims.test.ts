import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OutboxWorld, type ScriptedOwnership } from './outbox-world.ts'

let world: OutboxWorld
let me: ScriptedOwnership
beforeEach(async () => {
  world = await OutboxWorld.open()
  me = { me: 'me', living: ['me', 'neighbour'], isLive: true }
})
afterEach(() => {
  me.isLive = true
  return world.close()
})

const claims = async () => (await world.rows()).map(({ claimedBy }) => claimedBy)
const delivered = async () => (await world.rows()).filter(({ deliveredAt }) => deliveredAt !== null).length

describe('a service that shares its book with a neighbour', () => {
  it('claims free callbacks, its own and a dead service’s, but not a neighbour’s', async () => {
    world.answer = undefined
    for (const number of [1, 2, 3, 4]) await world.tell(number)
    await world.change(2, { claimedBy: 'me' })
    await world.change(3, { claimedBy: 'gone' })
    await world.change(4, { claimedBy: 'neighbour' })
    world.start(me)
    await world.until(() => world.numbers.length === 3)
    await world.idle()
    expect(world.numbers).toEqual([1, 2, 3])
    expect(await claims()).toEqual(['me', 'me', 'me', 'neighbour'])
    for (const attempt of world.attempts) attempt.end(204)
    await world.until(async () => (await delivered()) === 3)
    expect((await world.rows())[3]).toMatchObject({ deliveredAt: null, claimedBy: 'neighbour' })
  })

  it('claims no callback that is not due', async () => {
    world.answer = undefined
    await world.tell(1)
    await world.tell(2)
    await world.change(2, { nextAttemptAt: new Date(world.clock.now() + 60_000) })
    world.start(me)
    await world.until(() => world.numbers.length === 1)
    expect(await claims()).toEqual(['me', null])
  })

  it('does not send a callback that a neighbour claims first', async () => {
    await world.tell(1)
    await world.tell(2)
    const { callback } = world.database.read
    const { groupBy } = callback
    // Between the look and the claim.
    Object.assign(callback, {
      groupBy: async (asked: never) => {
        const groups = await groupBy.call(callback, asked)
        await world.change(1, { claimedBy: 'neighbour' })
        return groups
      },
    })
    world.start(me)
    await world.until(async () => (await delivered()) === 1)
    Object.assign(callback, { groupBy })
    await world.idle()
    expect([world.numbers, await claims()]).toEqual([[2], ['neighbour', 'me']])
  })

  it('does not send a callback that a neighbour tried between the read and the claim', async () => {
    await world.tell(1)
    const { callback } = world.database.read
    const { groupBy } = callback
    Object.assign(callback, {
      groupBy: async (asked: never) => {
        const groups = await groupBy.call(callback, asked)
        await world.change(1, { attempts: 1, nextAttemptAt: new Date(world.clock.now() + 5_000) })
        return groups
      },
    })
    const outbox = world.start(me)
    await world.until(async () => (await world.rows())[0]?.attempts === 1)
    await world.idle()
    Object.assign(callback, { groupBy })
    expect([world.numbers, await claims()]).toEqual([[], [null]])
    world.clock.jump(5_000)
    outbox.wake()
    await world.until(async () => (await delivered()) === 1)
  })

  it('sends later callbacks of a resource only after a neighbour’s earlier callbacks', async () => {
    for (const number of [1, 2]) await world.tell(number, { resource: 'invoice' })
    await world.change(1, { claimedBy: 'neighbour' })
    world.start(me)
    await world.idle()
    expect([world.numbers, await claims()]).toEqual([[], ['neighbour', null]])
  })

  it('frees failed callbacks, so that another service can send them next', async () => {
    world.answer = () => 500
    await world.tell(1)
    world.start(me)
    await world.until(async () => (await world.rows())[0]?.attempts === 1)
    expect(await claims()).toEqual([null])
  })
})

it('a service that uses its book alone sends all callbacks without claiming them', async () => {
  world.answer = undefined
  await world.tell(1)
  await world.tell(2)
  await world.change(1, { claimedBy: 'neighbour' })
  world.start({ ...me, alone: true })
  await world.until(() => world.numbers.length === 2)
  expect(await claims()).toEqual(['neighbour', null])
})

it('nothing is written if no callback is due, so a read-only book raises no alert', async () => {
  world.disk.full = true
  const outbox = world.start(me)
  await world.idle()
  outbox.wake()
  await world.idle()
  world.disk.full = false
  expect(world.log).toEqual([])
})

describe('a service with an expired lease', () => {
  it('claims no callback', async () => {
    me.isLive = false
    await world.tell(1)
    const outbox = world.start(me)
    await world.idle()
    expect([world.numbers, await claims()]).toEqual([[], [null]])
    me.isLive = true
    outbox.wake()
    await world.until(() => world.numbers.length === 1)
  })

  it('sends no more of the callbacks that it has claimed', async () => {
    world.answer = undefined
    for (let number = 0; number < 17; number += 1) await world.tell(number)
    world.start(me)
    await world.until(() => world.numbers.length === 16)
    me.isLive = false
    world.attempts[0]?.end(204)
    await world.until(async () => (await delivered()) === 1)
    await world.idle()
    expect(world.numbers).toHaveLength(16)
  })

  it.each([204, 500])('does not record answer %d for a callback that another service has claimed', async (status) => {
    world.answer = undefined
    await world.tell(1, { resource: 'invoice' })
    await world.tell(2, { resource: 'invoice' })
    world.start(me)
    await world.until(() => world.numbers.length === 1)
    await world.change(1, { claimedBy: 'neighbour' })
    const before = await world.rows()
    world.attempts[0]?.end(status)
    await world.idle()
    expect(await world.rows()).toEqual(before)
  })
})
