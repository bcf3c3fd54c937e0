import { beforeEach, describe, expect, it } from 'vitest'
import type { Fault } from '../support/scripted-provider.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ wallet: 1_000_000n, settings: { sweepEveryMs: 60_000 } })
  await world.fund('alice', 1_000)
})

const lost: Fault[] = ['act-then-error', 'act-then-error', 'act-then-error']

/** Starts the bot while the provider is unreachable, so that it is unknown whether a key may be sent again. */
async function startWithoutProvider(): Promise<void> {
  world.replays = false
  await world.restart()
  await world.pass(20 * 60_000)
}

/** Makes the provider reachable, and waits until the provider has reported that it replays keys. */
async function providerIsBack(): Promise<void> {
  world.replays = true
  await world.pass(61_000)
}

describe('an operation that was sent before the provider became unreachable', () => {
  it('is polled when the provider is back if it is a payout', async () => {
    const bob = await world.linked('bob')
    world.provider.misbehave('payToGamertag', ...lost)
    await world.run(world.tip('alice', 'bob', '100'))
    await startWithoutProvider()
    expect(await world.tipping.balances.view('bob')).toMatchObject({ inFlight: 100_000n })
    await providerIsBack()
    expect(await world.tipping.balances.view('bob')).toMatchObject({ inFlight: 0n, sentToGamertag: 100_000n })
    expect(world.received(bob)).toBe(100_000n)
  })

  it('is polled when the provider is back if it is a voucher or a redemption', async () => {
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

  it('is polled once, but not if it has ended, is too old, or is a deposit', async () => {
    await world.linked('bob')
    await world.run(world.tip('alice', 'bob', '100'))
    world.provider.misbehave('payToGamertag', ...Array<Fault>(100).fill('act-then-error'))
    await world.run(world.tip('alice', 'bob', '100'))
    await world.run(world.tip('alice', 'bob', '100'))
    await startWithoutProvider()
    const far = new Date(world.clock.now() + 20 * 3_600_000)
    const jobs = world.database.write.pollJob
    const [old, young] = await world.database.read.payout.findMany({ where: { state: 'unknown' } })
    const deposit = await world.database.read.deposit.findFirstOrThrow()
    await jobs.update({ where: { id: old?.id ?? '' }, data: { nextAt: far, bornAt: new Date(0) } })
    await jobs.updateMany({ where: { id: { in: [young?.id ?? '', deposit.id] } }, data: { nextAt: far } })
    const paid = await world.database.read.payout.findFirstOrThrow({ where: { state: 'paid' } })
    const ended = { id: paid.id, kind: 'payout', bornAt: paid.createdAt, nextAt: null }
    await jobs.create({ data: ended })
    const isFar = async (id = '') => (await world.database.read.pollJob.findFirst({ where: { id } }))?.nextAt
    await providerIsBack()
    expect([await isFar(old?.id), await isFar(deposit.id)]).toEqual([far, far])
    expect(await world.database.read.pollJob.findFirst({ where: { id: paid.id } })).toMatchObject({ polls: 0 })
    expect(await isFar(young?.id)).not.toEqual(far)
    // As a hint would: a poll that is under way then leaves the time alone.
    await jobs.update({ where: { id: young?.id ?? '' }, data: { nextAt: far, hints: { increment: 1 } } })
    await world.pass(121_000)
    expect(await isFar(young?.id)).toEqual(far)
  })
})
