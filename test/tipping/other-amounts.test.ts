import { beforeEach, describe, expect, it } from 'vitest'
import type { Fault } from '../support/scripted-provider.ts'
import { invoiceFor } from './withdrawals/outside.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ wallet: 1_000_000n })
  await world.fund('alice', 10_000)
})

const ONE: Fault = { answer: { amount: '1' } }
const lost: Fault[] = ['act-then-error', 'act-then-error', 'act-then-error']

const alerts = async () =>
  (await world.database.read.alert.findMany({ where: { kind: 'other-amount' } })).map(({ about, text }) => ({
    about,
    text,
  }))

async function tipBob(): Promise<string> {
  const tip = await world.run(world.tip('alice', 'bob', '100'))
  return tip.id
}

const stateOfTip = async (id: string) => (await world.tipping.tips.view(id)).shares[0]?.state

describe('the bot rejects a wrong amount in the provider’s answer and raises an alert', () => {
  it('when a payout is made, after which it reads the payout’s record', async () => {
    const bob = await world.linked('bob')
    world.provider.misbehave('payToGamertag', ONE)
    const tip = await tipBob()
    expect(await stateOfTip(tip)).toBe('unknown')
    const payout = await world.database.read.payout.findFirstOrThrow()
    expect(payout.reason).toContain('1 msats instead of 100000')
    expect(await alerts()).toEqual([{ about: payout.id, text: expect.stringContaining('/admin unknown') }])
    await world.pass(60_000)
    expect(await stateOfTip(tip)).toBe('paid')
    expect(world.received(bob)).toBe(100_000n)
    expect(world.provider.count('payToGamertag')).toBe(1)
  })

  it('when a payout is sent again under its key', async () => {
    await world.linked('bob')
    world.provider.misbehave('payToGamertag', ...lost, ONE)
    const tip = await tipBob()
    await world.pass(3_000)
    expect(world.provider.count('payToGamertag')).toBe(4)
    expect(await stateOfTip(tip)).toBe('unknown')
    expect(await alerts()).toHaveLength(1)
    world.provider.misbehave('payToGamertag', ONE)
    await world.pass(3_000)
    expect(await alerts()).toHaveLength(1)
  })

  it('when an invoice is paid, or when the payment is read later', async () => {
    const pay = async () => {
      const request = { member: 'alice', amount: '500', to: invoiceFor(world, 500) }
      const { id } = await world.tipping.withdrawals.ask({ ...request, origin: world.origin() })
      await world.run(world.tipping.withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() }))
      return id
    }
    const state = async (id: string) => (await world.tipping.withdrawals.view(id)).state
    world.provider.misbehave('sendPayment', ONE)
    const first = await pay()
    expect(await state(first)).toBe('unknown')
    const alert = (about: string) => ({ about, text: expect.stringContaining('1 msats instead of 500000') })
    expect(await alerts()).toEqual([alert(first)])
    world.provider.outgoing.next = 'processing'
    const second = await pay()
    const sending = [...world.provider.outgoing.payments.values()].find(({ status }) => status === 'processing')
    if (sending !== undefined) world.provider.outgoing.end(sending, 'completed')
    world.provider.misbehave('retrievePayment', ONE)
    await world.pass(2_500)
    expect(await state(second)).toBe('sending')
    expect(await alerts()).toEqual([alert(first), alert(second)])
    await world.pass(60_000)
    expect(await state(second)).toBe('paid')
  })

  it('when a withdrawal code is made', async () => {
    world.provider.misbehave('createWithdrawalRequest', ONE)
    const { id } = await world.tipping.withdrawals.ask({ member: 'alice', amount: '500', origin: world.origin() })
    await world.run(world.tipping.withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() }))
    expect((await world.tipping.withdrawals.view(id)).state).toBe('unknown')
    expect(await alerts()).toHaveLength(1)
  })

  it('when a voucher is requested, requested again under its key, or read', async () => {
    const make = () => world.tipping.vouchers.create({ member: 'alice', amount: '500', origin: world.origin() })
    const state = async (id: string) => (await world.tipping.vouchers.view(id)).state
    world.provider.misbehave('createVoucher', ONE)
    const first = (await world.run(make())).id
    expect(await state(first)).toBe('unknown')
    expect(await alerts()).toEqual([{ about: first, text: expect.stringContaining('1 msats instead of 500000') }])
    await world.pass(10_000)
    expect(world.provider.count('createVoucher')).toBeGreaterThan(1)
    expect(await state(first)).toBe('unknown')
    const second = (await world.run(make())).id
    world.provider.misbehave('retrieveVoucher', { answer: { amount: '1', revokedAt: new Date().toISOString() } })
    await world.run(world.tipping.vouchers.status({ member: 'alice', voucher: second }))
    expect(await state(second)).toBe('live')
    expect((await alerts()).map(({ about }) => about)).toEqual([first, second])
  })

  it('when a code that the bot made is redeemed', async () => {
    const made = world.tipping.vouchers.create({ member: 'alice', amount: '500', origin: world.origin() })
    const { code = '' } = await world.run(made)
    world.provider.misbehave('redeemVoucher', ONE)
    const { id } = await world.run(world.tipping.vouchers.redeem({ member: 'carol', code, origin: world.origin() }))
    expect(await world.available('carol')).toBe(0n)
    expect(await alerts()).toEqual([{ about: id, text: expect.stringContaining('1 msats instead of 500000') }])
    await world.pass(60_000)
    expect(world.provider.count('redeemVoucher')).toBeGreaterThan(1)
    expect(await world.available('carol')).toBe(0n)
  })
})
