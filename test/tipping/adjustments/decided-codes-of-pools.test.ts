import { expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { TippingWorld } from '../world.ts'

const guild = 'guild'

it('the moderation log names each returned code only once, even after corrections', async () => {
  const world = await TippingWorld.open()
  await world.fund('giver', 1_000)
  await world.tipping.pools.give({ guild, member: 'giver', amount: 'all', origin: world.origin() })
  await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '600', period: 'day' })
  const pool = { guild, roles: ['mods'], reason: 'for the party' }
  const batch = { member: 'mod', amount: '10', count: 3, pool, origin: world.origin() }
  await world.run(world.tipping.voucherBatches.createFromPool(batch))
  await world.pass(20_000)
  await world.restart({ elsewhere: true })
  await world.settle()
  const codes = await world.database.read.voucher.findMany({ orderBy: { number: 'asc' } })
  const [first = '', second = '', third = ''] = codes.map(({ id }) => id)
  const amountsAfter = async (payment: string, outcome: 'paid' | 'failed') => {
    for (const operator of ['olga', 'oscar'])
      await world.run(world.tipping.administration.decide({ payment, outcome, reason: 'seen', operator }))
    const changes = await world.tipping.insights.changes(guild, 100)
    return changes.filter(({ action }) => action === 'pool-return').map(({ amount }) => amount)
  }
  const ten = sats(10)
  expect(await amountsAfter(first, 'failed')).toEqual([ten])
  expect(await amountsAfter(first, 'paid')).toEqual([ten])
  expect(await amountsAfter(second, 'paid')).toEqual([ten])
  expect(await amountsAfter(third, 'failed')).toEqual([ten, ten])
  expect(await amountsAfter(third, 'paid')).toEqual([ten, ten])
  expect(await amountsAfter(second, 'failed')).toEqual([ten, ten, ten])
  // The pool has kept these sats since the first decision, so they are the operator's.
  expect(await amountsAfter(first, 'failed')).toEqual([ten, ten, ten])
  const states = await world.database.read.voucher.findMany({ orderBy: { number: 'asc' }, select: { state: true } })
  expect(states.map(({ state }) => state)).toEqual(['revoked', 'revoked', 'redeemed'])
  world.excused = /wallet|operator/
})
