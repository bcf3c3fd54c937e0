import { beforeEach, describe, expect, it } from 'vitest'
import { AdministrationWorld, MORE_THAN_A_PAGE, refusalOf } from './administration-world.ts'

let world: AdministrationWorld
beforeEach(async () => {
  world = await AdministrationWorld.open()
})
interface Told {
  readonly deliveredAt?: Date
  readonly deadLetteredAt?: Date
  readonly nextAttemptAt?: Date | null
  readonly attempts?: number
  readonly lastError?: string
}

/** Returns a callback's row as the outbox leaves it. */
const callback = (messageId: string, more: Told = {}) => ({
  ...{ messageId, projectId: 'shop', resource: `charge:${messageId}`, receiver: 'https://shop.example' },
  ...{ url: 'https://shop.example/hook', body: '{}', createdAt: world.time(), nextAttemptAt: null, ...more },
})
const have = (...data: ReturnType<typeof callback>[]) => world.have((tx) => tx.callback.createMany({ data }))

describe('callbacks', () => {
  const dead = (attempts = 12) => ({ deadLetteredAt: world.time(), attempts, lastError: 'answered 500' })

  it('are listed in detail, oldest first, if they are waiting or dead-lettered', async () => {
    const nextAttemptAt = world.time(5_000)
    const delivered = callback('delivered', { deliveredAt: world.time(), attempts: 1 })
    await have(callback('dead', dead()), delivered, callback('waiting', { nextAttemptAt, attempts: 2 }))
    const same = { projectId: 'shop', receiver: 'https://shop.example', createdAt: world.time().toISOString() }
    expect(await world.administration.listCallbacks()).toEqual([
      {
        ...{ ...same, messageId: 'dead', resource: 'charge:dead', state: 'dead-lettered', attempts: 12 },
        ...{ nextAttemptAt: null, lastError: 'answered 500' },
      },
      {
        ...{ ...same, messageId: 'waiting', resource: 'charge:waiting', state: 'waiting', attempts: 2 },
        ...{ nextAttemptAt: nextAttemptAt.toISOString(), lastError: '' },
      },
    ])
  })

  it('are listed up to a limit of 1,000', async () => {
    const all = Array.from({ length: MORE_THAN_A_PAGE }, (_, at) => callback(`m${at}`))
    await world.haveMany('Callback', all)
    const listed = (await world.administration.listCallbacks()).map(({ messageId }) => messageId)
    expect(listed).toEqual(Array.from({ length: 1_000 }, (_, at) => `m${at}`))
  })

  it('that are dead-lettered can be redelivered one by one or all together', async () => {
    const later = world.time(60_000)
    const waiting = callback('waiting', { nextAttemptAt: later, attempts: 2 })
    await have(waiting, callback('one', dead()), callback('two', dead()), callback('three', dead()))
    // Delivered after all, by hand: it is not delivered again.
    await have(callback('delivered', { ...dead(), deliveredAt: world.time() }))
    await world.clock.advance(1_000)
    expect(await world.administration.redeliverCallbacks('two')).toEqual({ redelivered: 1 })
    const states = async () => {
      const rows = await world.database.read.callback.findMany({ orderBy: { id: 'asc' } })
      return rows.map((row) => [row.messageId, row.deadLetteredAt === null, row.attempts, row.nextAttemptAt])
    }
    const [isWaiting, isDelivered] = [['waiting', true, 2, later] as const, ['delivered', false, 12, null] as const]
    const again = (id: string) => [id, true, 0, world.time()]
    expect(await states()).toEqual([
      isWaiting,
      ['one', false, 12, null],
      again('two'),
      ['three', false, 12, null],
      isDelivered,
    ])
    expect(await world.administration.redeliverCallbacks()).toEqual({ redelivered: 2 })
    expect(await states()).toEqual([isWaiting, again('one'), again('two'), again('three'), isDelivered])
    expect(await world.administration.redeliverCallbacks()).toEqual({ redelivered: 0 })
    for (const id of ['waiting', 'delivered', 'nobody']) {
      expect(await refusalOf(world.administration.redeliverCallbacks(id))).toBe(
        `There is no dead-lettered callback ${id}. "callbacks list" shows all of them.`,
      )
    }
  })
})

describe('fees in the books', () => {
  it('are shown as charged to payers, borne by the operator and unreported by nodes', async () => {
    const { administration } = world
    const nothing = { charged: '0', payments: 0, absorbed: '0', untold: '0', cost: '0' }
    expect(await administration.showFees()).toEqual(nothing)
    await world.have(async (tx) => {
      const totals = [
        ['charged', 9_000n, 3],
        ['absorbed', 500n, 2],
        ['untold', 4_000n, 1],
      ] as const
      for (const [kind, total, payments] of totals) {
        await tx.routingFee.update({ where: { kind }, data: { total, payments } })
      }
    })
    expect(await administration.showFees()).toEqual({
      ...{ charged: '9000', payments: 3, absorbed: '500', untold: '4000', cost: '5500' },
    })
    await world.have((tx) => tx.routingFee.deleteMany())
    expect(await administration.showFees()).toEqual(nothing)
  })
})
