import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
})
describe('the settings of a member', () => {
  it('are kept across a restart', async () => {
    await world.tipping.preferences.change({ member: 'alice', change: { reactionTip: sats(21), language: 'pt' } })
    await world.tipping.preferences.change({ member: 'alice', change: { hidden: true } })
    await world.restart()
    expect(await world.tipping.preferences.of('alice')).toEqual({
      receipts: false,
      hidden: true,
      reactionTip: sats(21),
      language: 'pt',
    })
    expect(world.tipping.preferences.languageOf('alice')).toBe('pt')
    await world.tipping.preferences.change({ member: 'alice', change: { language: undefined } })
    expect(world.tipping.preferences.languageOf('alice')).toBeUndefined()
  })
})

describe('the settings of a server', () => {
  const change = (of: object) => world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: of })

  it('limit tips only in that server', async () => {
    await world.fund('alice', 5_000)
    await change({ smallestTip: sats(10), largestTip: sats(100) })
    await world.restart()
    await expect(world.tip('alice', 'bob', '9')).rejects.toMatchObject({ code: 'amount-too-small' })
    await expect(world.tip('alice', 'bob', '101')).rejects.toMatchObject({ code: 'amount-too-large' })
    await world.tip('alice', 'bob', '100')
    const elsewhere = { ...world.origin(), guild: 'other' }
    const to = [{ id: 'bob', bot: false }]
    await world.tipping.tips.send({ from: 'alice', to, amount: '500', origin: elsewhere })
  })

  it('determine how long a tip waits for a newcomer', async () => {
    await world.fund('alice', 100)
    await change({ claimDays: 3 })
    const { shares } = await world.tip('alice', 'newcomer', '50')
    expect(shares[0]?.until?.getTime()).toBe(world.clock.now() + 3 * 24 * 3_600_000)
  })

  it('cannot contradict each other, and each change is logged', async () => {
    await change({ largestTip: sats(100) })
    await expect(change({ smallestTip: sats(101) })).rejects.toMatchObject({ code: 'tip-bounds-crossed' })
    expect(world.tipping.preferences.ofServer('guild').smallestTip).toBeUndefined()
    const entries = await world.database.read.moderationLogEntry.findMany()
    expect(entries).toMatchObject([
      { guild: 'guild', member: 'mod', action: 'setting', about: '{"largestTip":"100000"}' },
    ])
    await expect(world.database.write.moderationLogEntry.deleteMany()).rejects.toThrow()
  })
})
