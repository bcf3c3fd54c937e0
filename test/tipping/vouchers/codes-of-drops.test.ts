import { beforeEach, describe, expect, it } from 'vitest'
import { claim, open } from '../drops/drop-steps.ts'
import { aliceHasSome } from '../funded-world.ts'
import type { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await aliceHasSome()
})
describe('the code of a drop', () => {
  it('ends its drop if it cannot be made and all other shares were taken', async () => {
    const other = await open(world, { shares: 2, amount: '60' })
    const refused = { refuse: 400, message: 'No.', code: 'invalid_field', replayed: true }
    world.provider.misbehave('createVoucher', 'html', { answer: {} }, refused)
    const { id } = await open(world, { codes: true, shares: 2, amount: '60' })
    await world.pass(100)
    await claim(world, id, 'bob')
    expect(await world.tipping.drops.view(id)).toMatchObject({ shares: 2, claimed: 1, state: 'open' })
    await world.pass(10_000)
    expect(await world.tipping.drops.view(id)).toMatchObject({ shares: 1, claimed: 1, state: 'closed' })
    expect(await world.tipping.drops.view(other.id)).toMatchObject({ shares: 2, claimed: 0, state: 'open' })
  })

  it('is not requested once outgoing payments are paused', async () => {
    const before = () => world.tipping.administration.pause({ operator: 'olga', reason: 'maintenance' })
    world.provider.misbehave('createVoucher', { before })
    const { id } = await open(world, { codes: true, shares: 12, amount: '120' })
    await world.settle()
    const { shares } = await world.tipping.drops.view(id)
    expect(shares).toBeLessThan(12)
    expect(shares).toBe(world.provider.vouchers.all.length)
    expect(await world.available('alice')).toBe(1_000_000n - BigInt(shares) * 11_000n)
  })

  it('has its recipient’s card redrawn when it is redeemed', async () => {
    const { id } = await open(world, { codes: true, shares: 1, amount: '30' })
    await world.settle()
    const { card, voucher } = await claim(world, id, 'bob')
    const revision = async () => (await world.tipping.cards.get(card))?.revision ?? 0
    const before = await revision()
    world.provider.vouchers.redeem(voucher?.code ?? '')
    await world.pass(60_000)
    expect(await revision()).toBeGreaterThan(before)
  })
})
