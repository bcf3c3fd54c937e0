import { expect, it, onTestFinished } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { gapOf, readAfterTheWallet, readBeforeTheWallet } from '../../../src/tipping/audit/cover.ts'
import { aliceHasSome } from '../funded-world.ts'

it.each<[bigint | undefined, object | undefined]>([
  [undefined, undefined],
  [89n, { short: 1n, surplus: 0n }],
  [90n, { short: 0n, surplus: 0n }],
  [120n, { short: 0n, surplus: 0n }],
  [121n, { short: 0n, surplus: 1n }],
])('a wallet of %s sats is judged by the book and the sats that may have moved', (wallet, gap) => {
  const sides = { mayHaveLeft: 10n, mayHaveArrived: 20n } as Parameters<typeof gapOf>[2]
  expect(gapOf(wallet, { expected: 100n } as Parameters<typeof gapOf>[1], sides)).toEqual(gap)
})

it('a payout that begins and ends between two readings counts as possibly sent', async () => {
  const world = await aliceHasSome()
  onTestFinished(() => world.close())
  await world.linked('bob')
  const parts = { database: world.database, clock: world.clock, settings: { maxAmount: sats(1_000) } }
  const before = await readBeforeTheWallet(parts)
  let isFirst = true
  // Nothing but a payout that begins and ends just before payouts are read.
  const payout = new Proxy(world.database.read.payout, {
    get: (table, name) => async (query: never) => {
      if (isFirst) {
        isFirst = false
        await world.run(world.tip('alice', 'bob', '100'))
      }
      return await Reflect.get(table, name)(query)
    },
  })
  const read = new Proxy(world.database.read, {
    get: (target, name) => (name === 'payout' ? payout : Reflect.get(target, name)),
  })
  const { mayHaveLeft } = await readAfterTheWallet({ ...parts, database: { read } }, before)
  expect([mayHaveLeft, world.provider.wallet]).toEqual([sats(100), before.expected - sats(100)])
})
