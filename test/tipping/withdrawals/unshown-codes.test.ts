import { describe, expect, it } from 'vitest'
import { formatSats } from '../../../src/lib/money/amount.ts'
import type { WithdrawalView } from '../../../src/tipping/tipping.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

/**
 * Opens a world in which alice has 10,000 sats and the operator has a float of 1,000. The provider offers only the
 * interface.
 */
async function begin(): Promise<void> {
  world = await TippingWorld.open({ wallet: 1_000_000n, replays: false })
  await world.fund('alice', 10_000)
}

async function send(amount: string): Promise<WithdrawalView> {
  const { withdrawals } = world.tipping
  const { id } = await world.run(withdrawals.ask({ member: 'alice', amount, origin: world.origin() }))
  return await world.run(withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() }))
}

const now = ({ id }: WithdrawalView) => world.tipping.withdrawals.view(id)

describe('a withdrawal code that nobody was shown', () => {
  it('ends an hour after its expiry', async () => {
    await begin()
    world.provider.misbehave('createWithdrawalRequest', 'hang')
    const sent = await send('1000')
    await world.pass(65 * 60_000)
    expect((await now(sent)).state).toBe('unknown')
    await world.pass(60 * 60_000)
    expect(await now(sent)).toMatchObject({ state: 'returned', because: 'never-shown' })
    expect(await world.tipping.balances.view('alice')).toMatchObject({ available: 10_000_000n, inFlight: 0n })
  })

  it('counts as possibly paid for a week, in case the provider distrusts its clock', async () => {
    await begin()
    world.provider.misbehave('createWithdrawalRequest', 'act-then-hang')
    const sent = await send('1000')
    const kept = sent.amount + sent.feeLimit
    await world.pass(2 * 3_600_000)
    expect(await now(sent)).toMatchObject({ state: 'returned', because: 'never-shown' })
    const audit = () => world.run(world.tipping.audit())
    expect(await audit()).toMatchObject({ faults: [], mayHaveLeft: kept, openOperations: 0 })
    world.provider.wallet -= 1n
    expect((await audit()).faults).toEqual([`the provider's wallet holds 0.001 sats less than the books account for`])
    world.provider.wallet += 1n
    await world.leap(7 * 24 * 3_600_000)
    expect((await audit()).faults).toEqual([
      `the provider's wallet holds ${formatSats(kept)} sats less than the books account for`,
    ])
    world.provider.wallet += kept
  })
})
