import { afterEach, describe, expect, it } from 'vitest'
import type { Fault } from '../../support/scripted-provider.ts'
import { World, type WorldOptions } from '../world.ts'

let world: World

/** alice has 1,000 sats, and the operator 100. */
async function begin(options: WorldOptions = {}): Promise<World> {
  world = await World.open({ wallet: 100_000n, ...options })
  await world.fund('alice', 1_000)
  return world
}

afterEach(() => world.close())

function create(amount: string, interaction?: string) {
  return world.tipping.vouchers.create({ member: 'alice', amount, origin: world.origin(interaction) })
}

function redeem(member: string, code: string, interaction?: string) {
  return world.run(world.tipping.vouchers.redeem({ member, code, origin: world.origin(interaction) }))
}

function revoke(voucher: string) {
  return world.run(world.tipping.vouchers.revoke({ member: 'alice', voucher, origin: world.origin() }))
}

describe('a voucher', () => {
  it('costs its amount and what the provider really takes; what was reserved beyond that returns', async () => {
    await begin()
    world.provider.vouchers.fee = 4_500n
    const voucher = await create('500')
    expect(voucher).toMatchObject({ state: 'live', amount: 500_000n, fee: 4_500n, code: 'C0000000' })
    expect(await world.available('alice')).toBe(495_500n)
  })

  it('costs its maker no more than the limit; what the provider takes beyond it is the operator’s', async () => {
    await begin()
    world.provider.vouchers.fee = 9_000n
    await create('500')
    expect(await world.available('alice')).toBe(495_000n)
    expect((await world.run(world.tipping.audit())).operator).toBe(96_000n)
  })

  it('of all leaves room for its fee', async () => {
    await begin()
    const voucher = await create('all')
    expect(voucher.amount).toBe(990_000n)
    expect(await world.available('alice')).toBe(9_000n)
  })

  it('that is refused for certain brings everything back, in the provider’s words', async () => {
    await begin()
    world.provider.misbehave('createVoucher', { refuse: 400, message: 'Not today.' })
    expect(await create('500')).toMatchObject({ state: 'failed', reason: 'Not today.', code: undefined })
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('larger than the balance with its fee is refused with what is missing', async () => {
    await begin()
    await expect(create('1000')).rejects.toMatchObject({
      code: 'insufficient-with-fee',
      facts: { needed: 1_010_000n, missing: 10_000n, feeLimit: 10_000n },
    })
  })

  it('is not offered where the provider replays nothing, for it could be lost', async () => {
    await begin({ replays: false })
    await expect(create('500')).rejects.toMatchObject({ code: 'vouchers-not-offered' })
    expect(world.provider.count('createVoucher')).toBe(0)
  })

  it('that somebody redeems elsewhere moves nothing here, and its code is forgotten', async () => {
    await begin()
    const { id, code } = await create('500')
    world.provider.vouchers.redeem(code ?? '')
    await world.pass(60_000)
    expect(await world.tipping.vouchers.view(id)).toMatchObject({ state: 'redeemed', code: undefined })
    expect(await world.available('alice')).toBe(499_000n)
  })
})

describe('faults 6 and 29: nobody has said whether there is a code', () => {
  it.each<Fault>(['act-then-hang', 'act-then-reset', 'act-then-error', 'html'])(
    'after %s the first request’s own answer is found, and the voucher exists once',
    async (fault) => {
      await begin()
      world.provider.misbehave('createVoucher', fault, fault, fault)
      const { id } = await world.run(create('500'))
      await world.pass(120_000)
      expect(await world.tipping.vouchers.view(id)).toMatchObject({ state: 'live', amount: 500_000n })
      expect(world.provider.vouchers.all).toHaveLength(1)
      expect(await world.available('alice')).toBe(499_000n)
      world.provider.hanging = 0
    },
  )

  it('a refusal that the first attempt may have caused proves nothing: the sats stay reserved', async () => {
    await begin({ wallet: 0n })
    world.provider.vouchers.fee = 0n
    world.provider.misbehave('createVoucher', 'act-forget-then-error', 'act-forget-then-error', 'act-forget-then-error')
    const { id } = await world.run(create('600'))
    await world.pass(30 * 60_000)
    expect((await world.tipping.vouchers.view(id)).state).toBe('unknown')
    expect(await world.available('alice')).toBe(394_000n)
  })
})

describe('fault 21: the bot is stopped in between', () => {
  it('while the code is made: it is found afterwards', async () => {
    await begin()
    world.provider.misbehave('createVoucher', 'act-then-hang')
    const making = create('500')
    making.catch(() => undefined)
    await world.provider.asked('createVoucher')
    await world.restart()
    const [voucher] = await world.tipping.vouchers.mine('alice', 1)
    await world.pass(60_000)
    expect(await world.tipping.vouchers.view(voucher?.id ?? '')).toMatchObject({ state: 'live' })
    expect(world.provider.vouchers.all).toHaveLength(1)
  })

  it('while a code is redeemed: it is credited once', async () => {
    await begin()
    const { code } = world.provider.vouchers.foreign(70_000n)
    world.provider.misbehave('redeemVoucher', 'act-then-hang')
    void world.tipping.vouchers.redeem({ member: 'bob', code, origin: world.origin() }).catch(() => undefined)
    await world.provider.asked('redeemVoucher')
    await world.restart()
    await world.pass(60_000)
    expect(await world.available('bob')).toBe(70_000n)
  })
})

describe('revoking', () => {
  it('brings the amount back once, also when the answer is lost', async () => {
    await begin()
    const { id } = await create('500')
    world.provider.misbehave('revokeVoucher', 'act-then-reset', 'act-then-reset', 'act-then-reset')
    await revoke(id)
    await world.pass(60_000)
    expect(await world.tipping.vouchers.view(id)).toMatchObject({ state: 'revoked', code: undefined })
    expect(await world.available('alice')).toBe(999_000n)
    await expect(revoke(id)).rejects.toMatchObject({ code: 'voucher-over' })
  })

  it('is tried until the provider is back', async () => {
    await begin()
    const { id } = await create('500')
    await world.provider.down()
    expect((await revoke(id)).state).toBe('revoking')
    await world.provider.up()
    await world.pass(60_000)
    expect((await world.tipping.vouchers.view(id)).state).toBe('revoked')
    expect(await world.available('alice')).toBe(999_000n)
  })

  it('races redeeming, and one of them wins', async () => {
    await begin()
    const { id, code } = await create('500')
    await Promise.allSettled([revoke(id), redeem('bob', code ?? '')])
    await world.pass(60_000)
    const [alice, bob] = [await world.available('alice'), await world.available('bob')]
    expect(alice + bob).toBe(999_000n)
    expect([0n, 500_000n]).toContain(bob)
  })

  it('somebody else’s is refused', async () => {
    await begin()
    const { id } = await create('500')
    const command = { member: 'bob', voucher: id, origin: world.origin() }
    await expect(world.tipping.vouchers.revoke(command)).rejects.toMatchObject({ code: 'voucher-not-found' })
  })
})

describe('redeeming', () => {
  it('credits what the provider says that the code was worth', async () => {
    await begin()
    const { code } = world.provider.vouchers.foreign(70_000n)
    expect(await redeem('bob', ` ${code.toLowerCase()} `)).toMatchObject({ state: 'redeemed', amount: 70_000n })
    expect(await world.available('bob')).toBe(70_000n)
  })

  it.each<Fault>(['act-then-reset', 'act-then-error', 'html'])(
    'credits once when the answer is lost (%s), however often it is asked',
    async (fault) => {
      await begin()
      const { code } = world.provider.vouchers.foreign(70_000n)
      world.provider.misbehave('redeemVoucher', fault, fault, fault)
      expect(await redeem('bob', code)).toMatchObject({ state: 'checking' })
      await world.pass(120_000)
      expect(await world.available('bob')).toBe(70_000n)
    },
  )

  it('fault 22: delivered twice, credits once', async () => {
    await begin()
    const { code } = world.provider.vouchers.foreign(70_000n)
    const [first, second] = await Promise.all([redeem('bob', code, 'the-same'), redeem('bob', code, 'the-same')])
    expect(second).toEqual(first)
    expect(await redeem('bob', code, 'the-same')).toEqual(first)
    expect(await world.available('bob')).toBe(70_000n)
  })

  it('by two at once credits one of them', async () => {
    await begin()
    const { code } = world.provider.vouchers.foreign(70_000n)
    const tried = await Promise.allSettled([redeem('bob', code), redeem('carol', code)])
    expect(tried.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await world.available('bob')) + (await world.available('carol'))).toBe(70_000n)
  })

  it('allows three wrong codes in ten minutes, at once or in a row', async () => {
    await begin()
    const { code } = world.provider.vouchers.foreign(70_000n)
    const tried = await Promise.allSettled(
      ['AAAAAAAA', 'BBBBBBBB', 'CCCCCCCC', 'DDDDDDDD'].map((wrong) => redeem('bob', wrong)),
    )
    expect(tried.map((one) => (one.status === 'rejected' ? one.reason.code : 'done')).toSorted()).toEqual([
      'voucher-code-locked',
      ...Array(3).fill('voucher-code-wrong'),
    ])
    await expect(redeem('bob', code)).rejects.toMatchObject({ code: 'voucher-code-locked' })
    expect(world.provider.count('redeemVoucher')).toBe(3)
    await world.pass(10 * 60_000)
    expect(await redeem('bob', code)).toMatchObject({ amount: 70_000n })
  })
})
