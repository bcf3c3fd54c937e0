import { describe, expect, it } from 'vitest'
import type { TippingDatabase } from '../../../src/tipping/core/database.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'

let world: TippingWorld

async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open(options)
}

const operators = () => world.tipping.administration
const alerts = () => world.database.read.alert.findMany({ orderBy: { id: 'asc' } })

describe('a pause by operators', () => {
  it('is reported with the operator’s name, and its end is reported once', async () => {
    await begin()
    await operators().pause({ operator: 'olga', reason: '  a look \n' })
    expect((await operators().status()).paused).toEqual({ source: 'operator', reason: 'a look' })
    for (const operator of ['oscar', 'otto']) expect(await operators().resume({ operator })).toBeUndefined()
    expect(await alerts()).toMatchObject([
      { kind: 'paused', text: 'olga paused outgoing payments: a look' },
      { kind: 'resumed', text: "oscar ended the operators' pause" },
    ])
  })

  it('can have a reason of at most 300 characters', async () => {
    await begin()
    const pause = (length: number) => operators().pause({ operator: 'olga', reason: ` ${'x'.repeat(length)} ` })
    await expect(pause(301)).rejects.toMatchObject({ code: 'text-too-long', facts: { what: 'reason', most: 300 } })
    expect((await operators().status()).paused).toBeUndefined()
    await pause(300)
    expect((await operators().status()).paused?.reason).toHaveLength(300)
  })

  it('can be ended while an audit’s pause continues, which the answer then names', async () => {
    await begin()
    await world.fund('alice', 1_000)
    await operators().pause({ operator: 'olga', reason: 'a look' })
    world.provider.wallet -= 5_000n
    await operators().audit()
    expect(await operators().resume({ operator: 'olga' })).toEqual({
      source: 'cover',
      reason: expect.stringContaining('5 sats less'),
    })
    world.provider.wallet += 5_000n
    await operators().audit()
    expect((await operators().status()).paused).toBeUndefined()
  })
})

describe('the alerts', () => {
  it('are listed oldest first, up to the requested number, until they are sent', async () => {
    await begin()
    for (const text of ['it sleeps', 'it wakes', 'it sleeps']) await operators().tellOfNode(text)
    const [first, second] = await operators().untoldAlerts(2)
    expect([first, second]).toEqual([
      { id: first?.id, kind: 'node', text: 'it sleeps', at: new Date(world.clock.now()) },
      { id: second?.id, kind: 'node', text: 'it wakes', at: new Date(world.clock.now()) },
    ])
    const toldAt = new Date(world.clock.now())
    await operators().alertTold(first?.id ?? 0)
    await world.clock.advance(1_000)
    await operators().alertTold(first?.id ?? 0)
    expect((await operators().untoldAlerts(9)).map(({ text }) => text)).toEqual(['it wakes', 'it sleeps'])
    expect(await alerts()).toMatchObject([{ toldAt }, { toldAt: null }, { toldAt: null }])
  })

  it('are sent by only one of two bots on a book', async () => {
    await begin({ besideOthers: true })
    const first = world.tipping
    const second = await world.start()
    await second.administration.tellOfNode('it sleeps')
    expect(await first.administration.untoldAlerts(9)).toMatchObject([{ text: 'it sleeps' }])
    expect(await second.administration.untoldAlerts(9)).toEqual([])
  })
})

describe('a process of the bot', () => {
  it('is ready after its start', async () => {
    await begin()
    expect(await operators().whyNotReady()).toBeUndefined()
    expect(operators().believesClock()).toBe(true)
  })

  it('is not ready once it is about to stop, and refers callers to another process', async () => {
    await begin()
    const stopped = operators()
    await world.restart()
    expect(await stopped.whyNotReady()).toBe('This instance is about to stop. Send the request to another instance.')
  })

  it('is not ready after a long freeze until it can read its book again', async () => {
    await begin({ besideOthers: true })
    expect(await operators().whyNotReady()).toBeUndefined()
    world.clock.freeze(10 * 60_000)
    expect(await operators().whyNotReady()).toBe(
      'This instance has lost touch with its book. It continues when the database answers again.',
    )
    await world.pass(60_000)
    expect(await operators().whyNotReady()).toBeUndefined()
  })

  it('is not ready if its database does not answer', async () => {
    await begin()
    const { database } = world
    let away = false
    const bookTime = {
      findFirst: () => (away ? Promise.reject(new Error('disk I/O error')) : database.read.bookTime.findFirst()),
    }
    const read = new Proxy(database.read, {
      get: (target, name) =>
        name === 'bookTime' ? { ...database.read.bookTime, ...bookTime } : Reflect.get(target, name),
    }) as TippingDatabase['read']
    world.database = { ...database, read }
    await world.restart()
    expect(await operators().whyNotReady()).toBeUndefined()
    away = true
    expect(await operators().whyNotReady()).toBe('The database does not answer. Check the disk and the log.')
    world.database = database
  })
})
