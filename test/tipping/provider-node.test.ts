import { describe, expect, it } from 'vitest'
import { TippingWorld } from './world.ts'

let world: TippingWorld

/** Starts a provider whose Get Wallet reports this node; alice has 10,000 sats. */
async function begin(node?: object): Promise<void> {
  world = await TippingWorld.open({ wallet: 1_000_000n })
  world.provider.told.node = node
  await world.fund('alice', 10_000)
}

const state = () => world.run(world.tipping.administration.node())
const ask = (amount: string) =>
  world.run(world.tipping.withdrawals.ask({ member: 'alice', amount, origin: world.origin() }))

describe('the Lightning node’s state', () => {
  it('is what the provider reported at most 10 seconds ago', async () => {
    await begin({ state: 'ready' })
    expect(await state()).toBe('ready')
    world.provider.told.node = { state: 'low' }
    const before = world.provider.count('getWallet')
    expect([await state(), await state()]).toEqual(['ready', 'ready'])
    expect(world.provider.count('getWallet')).toBe(before)
    await world.clock.advance(10_000)
    expect(await state()).toBe('low')
  })

  it.each([undefined, { state: 'on fire' }, { state: 7 }])('is unknown if the provider reports %j', async (node) => {
    await begin(node)
    expect(await state()).toBeUndefined()
  })

  it('is “silent” if the provider does not answer', async () => {
    await begin({ state: 'ready' })
    world.provider.misbehave('getWallet', 'error')
    expect(await state()).toBe('silent')
  })
})

describe('a node’s fixed price for payments', () => {
  const phoenixd = { state: 'ready', tariff: { base: '4000', partsPerMillion: 4_000 } }

  it('is shown before a withdrawal, and exactly this sum is reserved', async () => {
    await begin(phoenixd)
    expect(await ask('1000')).toMatchObject({ price: 8_000n, feeLimit: 8_000n })
    expect(await ask('5000')).toMatchObject({ price: 24_000n, feeLimit: 24_000n })
    // 9,956 sats cost 43.824 sats; one sat more would need more than there is.
    expect(await ask('all')).toMatchObject({ amount: 9_956_000n, feeLimit: 43_824n })
    const { id } = await ask('1000')
    await world.run(world.tipping.withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() }))
    const asked = world.provider.calls.filter(({ operation }) => operation === 'createWithdrawalRequest')
    expect(asked).toMatchObject([{ body: { amount: '1000000', maxFee: '8000' } }])
  })

  it('can rise after the request, but the fee limit stays the same', async () => {
    await begin(phoenixd)
    const { id } = await ask('1000')
    world.provider.told.node = { ...phoenixd, tariff: { base: '9000', partsPerMillion: 4_000 } }
    await world.clock.advance(10_000)
    expect(await world.run(world.tipping.withdrawals.view(id))).toMatchObject({ price: 13_000n, feeLimit: 8_000n })
  })

  it.each([
    [{ state: 'ready' }],
    [{ state: 'ready', tariff: { base: 'much', partsPerMillion: 1 } }],
    [{ state: 'ready', tariff: { base: '1', partsPerMillion: -1 } }],
  ])('is unknown if the provider reports %j', async (node) => {
    await begin(node)
    expect((await ask('1000')).price).toBeUndefined()
  })
})
