import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createExports, type Exports } from '../../../src/tipping/exports/exports.ts'
import { TippingWorld } from '../world.ts'

/** The number of tips, which is more than the thread hands over at a time. */
const TIPS = 600

let world: TippingWorld
let beside: Exports

beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 10_000)
  await world.tipping.balances.view('bob')
})
afterEach(() => beside.close())

function open(): void {
  const { database, clock } = world
  beside = createExports({ database, clock, rates: { currency: 'EUR' } } as never, true)
}

// A server reads by itself: there is no thread.
describe.runIf(process.env.DATABASE !== 'postgres')('an export made in a worker thread', () => {
  it('equals the bot’s own export even if it arrives in parts', async () => {
    const give = (nth: number) => world.tip('alice', 'bob', String(1 + (nth % 3)))
    await Promise.all(Array.from({ length: TIPS }, (_, nth) => give(nth)))
    await world.tipping.pools.give({ guild: 'guild', member: 'alice', amount: '50', origin: world.origin() })
    open()
    const history = await beside.history('alice')
    expect(history).toHaveLength(TIPS + 2)
    expect(history).toEqual(await world.tipping.history.export('alice'))
    expect(await beside.data('alice')).toEqual(await world.tipping.privacy.export('alice'))
    expect(await beside.pool('guild')).toEqual(await world.tipping.pools.history('guild', new Date(0)))
  })

  it('is empty for a member without activity', async () => {
    open()
    expect(await beside.history('nobody')).toEqual([])
    expect(await beside.data('nobody')).toEqual(await world.tipping.privacy.export('nobody'))
  })
})
