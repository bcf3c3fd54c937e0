import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { TippingRefusal } from '../../../src/tipping/tipping.ts'
import { TippingWorld } from '../world.ts'

const guild = 'guild'
const DAY_MS = 24 * 3_600_000
const SET_BY = [
  ['ahead by 40 days', 40 * DAY_MS],
  ['back by 40 days', -40 * DAY_MS],
] as const
let world: TippingWorld

/** Opens a world in which the pool has 1,000 sats, and bob uses the bot. */
beforeEach(async () => {
  world = await TippingWorld.open({ besideOthers: false })
  await world.fund('giver', 1_000)
  await world.tipping.pools.give({ guild, member: 'giver', amount: 'all', origin: world.origin() })
  await world.fund('bob', 1)
})
const budget = (amount: string, period: 'day' | 'week' | 'month') =>
  world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount, period })

const reward = (amount: string) =>
  world.run(
    world.tipping.rewards.give({
      ...{ guild, member: 'mod', roles: ['mods'], to: { id: 'bob', bot: false }, amount, reason: 'for help' },
      origin: world.origin(),
    }),
  )

describe.each(SET_BY)('a wall clock that is set %s', (_, ms) => {
  it.each(['day', 'week', 'month'] as const)('gives a moderator no second budget for the same %s', async (period) => {
    await budget('100', period)
    await reward('60')
    world.clock.jump(ms)
    const refused = await reward('41').catch((error: unknown) => error)
    if (!(refused instanceof TippingRefusal)) throw new Error('it was given')
    const { left, until } = refused.facts as { left: bigint; until: Date }
    expect([refused.code, left]).toEqual(['budget-exhausted', sats(40)])
    // Nobody is told to wait for a moment that has passed.
    expect(until.getTime()).toBeGreaterThan(world.clock.now())
    await reward('40')
  })

  it('gives a rule no second budget for the same month', async () => {
    await budget('1000', 'month')
    const terms = { recipe: 'good-post', amount: '100', budget: '150', reason: 'well done', trial: false } as const
    const { interaction } = world.origin()
    await world.tipping.rules.create({ guild, member: 'mod', role: 'regulars', interaction, ...terms })
    const hear = (message: string) =>
      world.run(
        world.tipping.rules.heard({
          ...{ guild, channel: 'channel', locale: 'en', recipient: { id: 'bob', bot: false } },
          what: { kind: 'reaction', emoji: '🏅', message, by: 'second' },
          facts: async () => ({ accountSince: new Date(0), memberSince: new Date(0), roles: ['regulars'] }),
          moderator: async () => ['mods'],
        }),
      )
    expect(await hear('a')).toHaveLength(1)
    world.clock.jump(ms)
    expect(await hear('b')).toEqual([])
    expect(await world.tipping.rules.list(guild)).toMatchObject([{ spent: sats(100), trouble: 'rule-budget-spent' }])
  })
})
