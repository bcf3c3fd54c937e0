import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Fault } from '../support/scripted-provider.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ wallet: 1_000_000n, settings: { sweepEveryMs: 60_000 } })
  await world.fund('alice', 1_000)
})

afterEach(() => world.close())

const lost: Fault[] = ['act-then-error', 'act-then-error', 'act-then-error']

/** The bot starts while the provider is away, so that nobody knows whether a key may be sent again. */
async function startWithoutProvider(): Promise<void> {
  world.replays = false
  await world.restart()
  await world.pass(45 * 60_000)
}

/** The provider is back, and has said that it replays keys. */
async function providerIsBack(): Promise<void> {
  world.replays = true
  await world.pass(61_000)
}

describe('what was sent when the provider was lost is looked into as soon as its key may be sent again', () => {
  it('a payout', async () => {
    const bob = await world.linked('bob')
    world.provider.misbehave('payToGamertag', ...lost)
    await world.run(world.tip('alice', 'bob', '100'))
    await startWithoutProvider()
    expect(await world.tipping.balances.view('bob')).toMatchObject({ inFlight: 100_000n })
    await providerIsBack()
    expect(await world.tipping.balances.view('bob')).toMatchObject({ inFlight: 0n, sentToGamertag: 100_000n })
    expect(world.received(bob)).toBe(100_000n)
  })

  it('a voucher, made and redeemed', async () => {
    world.provider.misbehave('createVoucher', ...lost)
    const made = world.tipping.vouchers.create({ member: 'alice', amount: '500', origin: world.origin() })
    const { id } = await world.run(made)
    await startWithoutProvider()
    expect(await world.tipping.vouchers.view(id)).toMatchObject({ state: 'unknown' })
    await providerIsBack()
    const { state, code = '' } = await world.tipping.vouchers.view(id)
    expect(state).toBe('live')
    world.provider.misbehave('redeemVoucher', ...lost)
    await world.run(world.tipping.vouchers.redeem({ member: 'carol', code, origin: world.origin() }))
    await startWithoutProvider()
    expect(await world.available('carol')).toBe(0n)
    await providerIsBack()
    expect(await world.available('carol')).toBe(500_000n)
  })
})
