import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { createPaymentsClient } from '../../src/payments-api/payments-api.ts'
import type { Fault } from '../support/scripted-provider.ts'
import { STRANGE_ANSWERS } from '../support/strange-answer.ts'
import { TippingWorld } from '../tipping/world.ts'

let world: TippingWorld

afterEach(() => world.close())

async function begin(options: Parameters<typeof TippingWorld.open>[0] = {}): Promise<void> {
  world = await TippingWorld.open({ wallet: 100_000n, ...options })
  await world.fund('alice', 1_000)
}

/** The client itself sends what may be sent again three times. */
const thrice = (fault: Fault): Fault[] => [fault, fault, fault]

describe.each(STRANGE_ANSWERS)('a provider that carries a request out and answers strangely (%s)', (fault) => {
  it('pays a payout once, and its end is found', async () => {
    await begin()
    const bob = await world.linked('bob')
    world.provider.misbehave('payToGamertag', ...thrice(fault))
    await world.run(world.tip('alice', 'bob', '100'))
    expect(await world.tipping.balances.view('bob')).toMatchObject({ available: 0n })
    await world.pass(120_000)
    expect(world.received(bob)).toBe(100_000n)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ inFlight: 0n, sentToGamertag: 100_000n })
  })

  it('pays a payout once without replay: it stays unknown, and nothing returns', async () => {
    await begin({ replays: false })
    const bob = await world.linked('bob')
    world.provider.misbehave('payToGamertag', fault)
    await world.run(world.tip('alice', 'bob', '100'))
    await world.pass(3 * 3_600_000)
    expect(world.received(bob)).toBe(100_000n)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ available: 0n, inFlight: 100_000n })
    expect(world.provider.count('payToGamertag')).toBe(1)
  })

  it('makes one voucher, and credits a redeemed one once', async () => {
    await begin()
    world.provider.misbehave('createVoucher', ...thrice(fault))
    const asked = { member: 'alice', amount: '500', origin: world.origin() }
    const { id } = await world.run(world.tipping.vouchers.create(asked))
    await world.pass(120_000)
    const { code } = await world.tipping.vouchers.view(id)
    expect(world.provider.vouchers.all).toHaveLength(1)
    world.provider.misbehave('redeemVoucher', ...thrice(fault))
    await world.run(world.tipping.vouchers.redeem({ member: 'bob', code: code ?? '', origin: world.origin() }))
    await world.pass(120_000)
    expect(await world.available('bob')).toBe(500_000n)
    expect(await world.available('alice')).toBe(499_000n)
  })

  it('credits a deposit once, whatever its charge is read as meanwhile', async () => {
    await begin()
    const deposit = await world.tipping.deposits.open({ member: 'bob', amount: '70', origin: world.origin() })
    const charge = world.provider.chargeOf(deposit.request)
    world.provider.payCharge(charge.id)
    world.provider.misbehave('getStaticCharge', ...Array<Fault>(9).fill(fault))
    await world.tipping.hint(world.token(charge.callbackUrl))
    await world.pass(120_000)
    expect(await world.available('bob')).toBe(70_000n)
  })

  it('is not believed to be empty: such an audit opens and closes nothing', async () => {
    await begin()
    world.provider.misbehave('getWallet', ...Array<Fault>(9).fill(fault))
    expect(await world.run(world.tipping.audit())).toMatchObject({ holds: true, wallet: undefined })
    expect((await world.tipping.administration.status()).paused).toBeUndefined()
  })
})

describe('a provider that never answers', () => {
  it('leaves what it was asked for reserved, and the bot goes on with everything else', async () => {
    await begin()
    await world.linked('bob')
    world.provider.misbehave('payToGamertag', ...thrice('hang'))
    const tip = world.tip('alice', 'bob', '100')
    await world.provider.asked('payToGamertag')
    expect(await world.tipping.balances.view('bob')).toMatchObject({ available: 0n, inFlight: 100_000n })
    await world.tip('alice', 'carol', '50')
    expect(await world.available('alice')).toBe(850_000n)
    await world.run(tip)
    world.provider.hanging = 0
  })
})

describe('names that do not resolve', () => {
  it('of the provider: it is certain that nothing was sent', async () => {
    await begin()
    const client = createPaymentsClient({ baseUrl: 'http://nobody.invalid', apiKey: 'key', clock: systemClock })
    const tip = { amount: 1_000n as never, gamertag: 'bob', description: 'a tip' }
    await expect(client.payToGamertag(tip)).rejects.toMatchObject({ kind: 'unreachable', happened: 'no' })
    await client.close()
  })

  it('of a Lightning Address: nothing moves, and the member is told', async () => {
    await begin()
    const asked = { member: 'alice', amount: '100', to: 'bob@nobody.invalid', origin: world.origin() }
    await expect(world.run(world.tipping.withdrawals.ask(asked))).rejects.toMatchObject({
      code: expect.stringMatching(/^address-/),
    })
    expect(await world.tipping.balances.view('alice')).toMatchObject({ available: 1_000_000n, inFlight: 0n })
  })
})
