import { describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { NO_LIMITS } from '../../../src/tipping/core/gift-limits.ts'
import { aliceHasSome } from '../funded-world.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'

let world: TippingWorld

/** Opens a world in which alice has 1,000 sats, and the operator 100. */
async function begin(options: WorldOptions = {}): Promise<void> {
  world = await aliceHasSome(options)
}

const HOUR_MS = 3_600_000

function create(amount: string) {
  return world.tipping.vouchers.create({ member: 'alice', amount, origin: world.origin() })
}

function redeem(member: string, code = '') {
  return world.run(world.tipping.vouchers.redeem({ member, code, origin: world.origin() }))
}

function revoke(voucher: string) {
  return world.run(world.tipping.vouchers.revoke({ member: 'alice', voucher, origin: world.origin() }))
}

const stateOf = async (id: string) => (await world.tipping.vouchers.view(id)).state
const nextPollOf = async (id: string) => (await world.database.read.pollJob.findUniqueOrThrow({ where: { id } })).nextAt

describe('the creation of a voucher', () => {
  it('counts towards a member’s daily limit', async () => {
    await begin({ settings: { limits: { ...NO_LIMITS, perDay: sats(500) } } })
    await create('400')
    await expect(create('101')).rejects.toMatchObject({ code: 'limit-reached', facts: { left: sats(100) } })
    expect(world.provider.count('createVoucher')).toBe(1)
  })

  it('is refused without a debit if the book cannot be written', async () => {
    await begin()
    world.failCommits = 1
    await expect(create('500')).rejects.toThrow('the books could not be written; nothing happened')
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('appears in its maker’s history, with the fee and what is returned', async () => {
    await begin()
    world.provider.vouchers.fee = 500n
    const { id } = await create('100')
    await revoke(id)
    await redeem('alice', world.provider.vouchers.foreign(70_000n).code)
    const { lines } = await world.tipping.history.page('alice', 0)
    expect(lines.slice(0, 4).map(({ what, amount }) => [what, amount])).toEqual([
      ['redemption', 70_000n],
      ['voucher-returned', 100_000n],
      ['fee-returned', 500n],
      ['voucher', -101_000n],
    ])
    const entries = await world.database.read.entry.findMany({ where: { operation: id }, orderBy: { id: 'asc' } })
    expect(entries.map(({ step }) => step)).toEqual(['reserve', 'post', 'revoked'])
  })
})

describe('the revocation of a voucher', () => {
  it('is refused with the voucher’s amount if the voucher has already ended', async () => {
    await begin()
    const { id } = await create('100')
    await revoke(id)
    await expect(revoke(id)).rejects.toMatchObject({ code: 'voucher-over', facts: { amount: 100_000n } })
  })

  it('does not bring forward the poll of another voucher', async () => {
    await begin()
    const [unwanted, other] = [await create('100'), await create('100')]
    await world.pass(3 * HOUR_MS)
    const before = await nextPollOf(other.id)
    await revoke(unwanted.id)
    expect(await nextPollOf(other.id)).toEqual(before)
  })
})

describe('the redemption of a code', () => {
  it('credits the code’s value even if the code was made elsewhere', async () => {
    await begin()
    await create('500')
    expect(await redeem('bob', world.provider.vouchers.foreign(70_000n).code)).toMatchObject({ state: 'redeemed' })
    expect(await world.available('bob')).toBe(70_000n)
  })

  it('ends the bot’s own voucher immediately, and brings no other poll forward', async () => {
    await begin()
    const [other, redeemed] = [await create('100'), await create('200')]
    await world.pass(3 * HOUR_MS)
    const before = await nextPollOf(other.id)
    await redeem('bob', redeemed.code)
    await world.pass(1_000)
    expect([await stateOf(other.id), await stateOf(redeemed.id)]).toEqual(['live', 'redeemed'])
    expect(await nextPollOf(other.id)).toEqual(before)
  })

  it('is refused until the book is opened, so that no sats are booked to the operator', async () => {
    world = await TippingWorld.open({ walletUnread: true })
    const { code } = world.provider.vouchers.foreign(70_000n)
    await expect(redeem('bob', code)).rejects.toMatchObject({ code: 'provider-unreachable' })
    expect(world.provider.count('redeemVoucher')).toBe(0)
    world.provider.stopMisbehaving('getWallet')
    expect(await redeem('bob', code)).toMatchObject({ state: 'redeemed' })
  })

  it('works during a pause, whether its outcome is known or unknown', async () => {
    await begin()
    await world.tipping.administration.pause({ operator: 'olga', reason: 'maintenance' })
    expect(await redeem('bob', world.provider.vouchers.foreign(70_000n).code)).toMatchObject({ state: 'redeemed' })
    world.provider.misbehave('redeemVoucher', 'act-then-error', 'act-then-error', 'act-then-error')
    const { state } = await redeem('bob', world.provider.vouchers.foreign(30_000n).code)
    expect(state).toBe('checking')
    await world.pass(10_000)
    expect(await world.available('bob')).toBe(100_000n)
  })

  it('counts as a possible arrival in an audit while it is open', async () => {
    await begin({ settings: { maxAmount: sats(2_000) } })
    const seen: bigint[] = []
    const before = async () => void seen.push((await world.tipping.audit()).mayHaveArrived)
    world.provider.misbehave('redeemVoucher', { before })
    await redeem('bob', world.provider.vouchers.foreign(70_000n).code)
    expect(seen).toEqual([2_000_000n])
  })

  it('is possible again 10 minutes after the oldest of three wrong codes', async () => {
    await begin()
    await expect(redeem('bob', 'AAAAAAAA')).rejects.toMatchObject({ code: 'voucher-code-wrong' })
    world.clock.jump(-60_000)
    const until = new Date(world.clock.now() + 10 * 60_000)
    for (const wrong of ['BBBBBBBB', 'CCCCCCCC']) {
      await expect(redeem('bob', wrong)).rejects.toMatchObject({ code: 'voucher-code-wrong' })
    }
    await expect(redeem('bob', 'DDDDDDDD')).rejects.toMatchObject({ code: 'voucher-code-locked', facts: { until } })
  })
})
