import { expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { TippingWorld } from '../world.ts'

it('a refusal to withdraw “all” from too small a balance states the minimum', async () => {
  const world = await TippingWorld.open({ wallet: 1_000_000n })
  try {
    await world.fund('bob', 4)
    const ask = (amount: string) =>
      world.run(world.tipping.withdrawals.ask({ member: 'bob', amount, origin: world.origin() }))
    await expect(ask('all')).rejects.toMatchObject({
      code: 'too-little-to-withdraw',
      facts: { balance: sats(4), needed: sats(11), missing: sats(7), feeLimit: sats(10) },
    })
    await expect(ask('2')).rejects.toMatchObject({ code: 'insufficient-with-fee' })
  } finally {
    await world.close()
  }
})
