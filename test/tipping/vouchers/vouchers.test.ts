import { describe, expect, it } from 'vitest'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { MAX_DESCRIPTION } from '../../../src/tipping/core/settings.ts'
import type { Card } from '../../../src/tipping/tipping.ts'
import type { VoucherCommand } from '../../../src/tipping/vouchers/vouchers.ts'
import type { Fault } from '../../support/scripted-provider.ts'
import { aliceHasSome } from '../funded-world.ts'
import type { TippingWorld, WorldOptions } from '../world.ts'

let world: TippingWorld

/** Opens a world in which alice has 1,000 sats, and the operator 100. */
async function begin(options: WorldOptions = {}): Promise<TippingWorld> {
  world = await aliceHasSome(options)
  return world
}

function create(amount: string, interaction?: string, more: Partial<VoucherCommand> = {}) {
  return world.tipping.vouchers.create({ member: 'alice', amount, origin: world.origin(interaction), ...more })
}

function redeem(member: string, code: string, interaction?: string) {
  return world.run(world.tipping.vouchers.redeem({ member, code, origin: world.origin(interaction) }))
}

function revoke(voucher: string) {
  return world.run(world.tipping.vouchers.revoke({ member: 'alice', voucher, origin: world.origin() }))
}

function status(voucher: string, member = 'alice') {
  return world.run(world.tipping.vouchers.status({ member, voucher }))
}

/** Returns the pending cards of a record, with their audiences. */
async function told(record: string): Promise<Pick<Card, 'kind' | 'audience'>[]> {
  const cards = await world.tipping.cards.pending(1_000)
  return cards.filter((card) => card.record === record).map(({ kind, audience }) => ({ kind, audience }))
}

async function revisionOf(card: string): Promise<number | undefined> {
  return (await world.tipping.cards.get(card))?.revision
}

describe('a voucher for any wallet', () => {
  const toAnyWallet = (voucher: string, member = 'alice') => world.tipping.vouchers.toAnyWallet({ member, voucher })

  it('can be claimed with a wallet only if the provider permits it', async () => {
    await begin()
    const plain = await create('500')
    expect(plain.anyWallet).toBeUndefined()
    await expect(toAnyWallet(plain.id)).rejects.toMatchObject({ code: 'voucher-over' })
    world.provider.vouchers.toWallets = 390_000n
    const offered = await create('400')
    expect(offered.anyWallet).toEqual({ request: 'LNURL1VOUCHER', amount: 390_000n })
    expect(await toAnyWallet(offered.id)).toEqual({
      card: offered.card,
      amount: 400_000n,
      arrives: 390_000n,
      request: 'LNURL1VOUCHER',
    })
  })

  it('cannot be claimed if a wallet would receive more than the voucher’s value', async () => {
    await begin()
    world.provider.vouchers.toWallets = 500_001n
    expect((await create('500')).anyWallet).toBeUndefined()
  })

  it('is shown only to its maker, or to its recipient if it has one', async () => {
    await begin()
    world.provider.vouchers.toWallets = 90_000n
    const own = await create('100')
    const gift = await create('100', undefined, { recipient: { id: 'bob', bot: false } })
    await expect(toAnyWallet(own.id, 'bob')).rejects.toMatchObject({ code: 'voucher-not-found' })
    await expect(toAnyWallet(gift.id)).rejects.toMatchObject({ code: 'voucher-not-found' })
    expect(await toAnyWallet(gift.id, 'bob')).toMatchObject({ arrives: 90_000n })
  })

  it('shows no code once it has ended, since the code is deleted', async () => {
    await begin()
    world.provider.vouchers.toWallets = 90_000n
    const { id } = await create('100')
    expect(await revoke(id)).toMatchObject({ state: 'revoked', anyWallet: undefined })
    await expect(toAnyWallet(id)).rejects.toMatchObject({ code: 'voucher-over' })
  })

  it('is polled soon after it is shown, since the provider reports no scan', async () => {
    await begin()
    world.provider.vouchers.toWallets = 90_000n
    const { id, code } = await create('100')
    await world.pass(3_600_000)
    await toAnyWallet(id)
    world.provider.vouchers.redeem(code ?? '')
    await world.pass(25_000)
    expect(await world.tipping.vouchers.view(id)).toMatchObject({ state: 'redeemed', anyWallet: undefined })
  })
})

describe('a voucher', () => {
  it('costs its amount and the provider’s actual fee; the unused reserve is returned', async () => {
    await begin()
    world.provider.vouchers.fee = 4_500n
    const voucher = await create('500')
    expect(voucher).toMatchObject({ state: 'live', amount: 500_000n, fee: 4_500n, code: 'C0000000', description: '' })
    expect(await world.available('alice')).toBe(495_500n)
    expect(world.provider.calls.at(-1)?.body).toEqual({ amount: '500000' })
    expect(await told(voucher.id)).toEqual([{ kind: 'voucher', audience: { member: 'alice' } }])
    expect(await revisionOf(voucher.card)).toBe(2)
  })

  it('costs its maker a fee up to the limit at most, and the operator bears the excess', async () => {
    await begin()
    world.provider.vouchers.fee = 9_000n
    await create('500')
    expect(await world.available('alice')).toBe(495_000n)
    expect((await world.run(world.tipping.audit())).operator).toBe(96_000n)
  })

  it('leaves room for its fee if its amount is “all”', async () => {
    await begin()
    const voucher = await create(' ALL ')
    expect(voucher.amount).toBe(990_000n)
    expect(await world.available('alice')).toBe(9_000n)
  })

  it('for “half” takes half of what is left if another is made simultaneously', async () => {
    await begin()
    const amounts = (await Promise.all([create('half'), create('half')])).map(({ amount }) => amount)
    expect(amounts).toContain(500_000n)
    expect(amounts.some((amount) => amount < 250_000n)).toBe(true)
  })

  it('is refused with too long a text, with an amount out of bounds, or for a bot', async () => {
    await begin({ settings: { minAmount: sats(5), maxAmount: sats(1_000) } })
    const tooLong = { description: 'x'.repeat(MAX_DESCRIPTION + 1) }
    const refusals: [Partial<VoucherCommand>, object][] = [
      [tooLong, { code: 'text-too-long', facts: { what: 'description', most: MAX_DESCRIPTION } }],
      [{ recipient: { id: 'robot', bot: true } }, { code: 'tip-to-bot' }],
      [{ amount: '4' }, { code: 'amount-too-small', facts: { smallest: sats(5) } }],
      [{ amount: '1001' }, { code: 'amount-too-large', facts: { largest: sats(1_000) } }],
    ]
    for (const [wrong, refused] of refusals) {
      await expect(create('500', undefined, wrong)).rejects.toMatchObject(refused)
    }
    expect(world.provider.count('createVoucher')).toBe(0)
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('is refused below 1 sat, whatever the minimum is, and during a pause', async () => {
    await begin({ settings: { minAmount: msats(1) } })
    await expect(create('0.5')).rejects.toMatchObject({ code: 'amount-too-small', facts: { smallest: sats(1) } })
    await world.tipping.administration.pause({ operator: 'olga', reason: 'maintenance' })
    await expect(create('500')).rejects.toMatchObject({ code: 'outgoing-paused-by-operator' })
    expect(world.provider.count('createVoucher')).toBe(0)
  })

  it('contains its text without forbidden characters', async () => {
    await begin()
    const text = 'x'.repeat(MAX_DESCRIPTION - 1)
    expect(await create('500', undefined, { description: `${text}\0` })).toMatchObject({ description: text })
    expect(world.provider.calls.at(-1)?.body).toEqual({ amount: '500000', description: text })
  })

  it('is shown to its recipient, and its end is shown to the maker and the recipient', async () => {
    await begin()
    const gift = await create('100', undefined, { recipient: { id: 'bob', bot: false } })
    expect(gift.recipient).toBe('bob')
    const cards = (await world.tipping.cards.pending(100)).filter(({ record }) => record === gift.id)
    expect(cards.map(({ kind, audience }) => ({ kind, audience })).toSorted()).toEqual([
      { kind: 'voucher', audience: { member: 'alice' } },
      { kind: 'voucher-gift', audience: { member: 'bob' } },
    ])
    world.provider.vouchers.redeem(gift.code ?? '')
    await world.pass(60_000)
    for (const { id, revision } of cards) expect(await revisionOf(id)).toBe(revision + 1)
    const own = await create('100', undefined, { recipient: { id: 'alice', bot: false } })
    expect(own.recipient).toBe(undefined)
    expect(await told(own.id)).toHaveLength(1)
  })

  it('is made once even if its command is redelivered (fault 22)', async () => {
    await begin()
    const first = await create('500', 'the-same')
    expect(await create('500', 'the-same')).toEqual(first)
    const others: Partial<VoucherCommand>[] = [
      { amount: '400' },
      { description: 'thanks' },
      { member: 'bob' },
      { recipient: { id: 'bob', bot: false } },
    ]
    for (const other of others) {
      await expect(create('500', 'the-same', other)).rejects.toMatchObject({ code: 'already-done' })
    }
    expect(world.provider.count('createVoucher')).toBe(1)
  })

  it('returns its sats with the provider’s message if the provider refuses it', async () => {
    await begin()
    world.provider.misbehave('createVoucher', { refuse: 400, message: 'Not today.' })
    const voucher = await create('500')
    expect(voucher).toMatchObject({ state: 'failed', reason: 'Not today.', code: undefined })
    expect(await world.available('alice')).toBe(1_000_000n)
    expect(await revisionOf(voucher.card)).toBe(2)
    expect(await status(voucher.id)).toEqual(voucher)
  })

  it('returns its sats without a message if it could not be requested', async () => {
    await begin()
    await world.provider.down()
    const voucher = await world.run(create('500'))
    await world.provider.up()
    expect(voucher).toMatchObject({ state: 'failed', reason: undefined })
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('is refused with the shortfall if the balance does not cover its amount and fee', async () => {
    await begin()
    await expect(create('1000')).rejects.toMatchObject({
      code: 'insufficient-with-fee',
      facts: { balance: 1_000_000n, needed: 1_010_000n, missing: 10_000n, feeLimit: 10_000n },
    })
  })

  it('is not offered if the provider does not support replay, since it could be lost', async () => {
    await begin({ replays: false })
    expect(world.tipping.vouchers.offered).toBe(false)
    await expect(create('500')).rejects.toMatchObject({ code: 'vouchers-not-offered' })
    await expect(redeem('bob', 'AAAAAAAA')).rejects.toMatchObject({ code: 'vouchers-not-offered' })
    expect(world.provider.count('createVoucher') + world.provider.count('redeemVoucher')).toBe(0)
    world.replays = true
    expect(world.tipping.vouchers.offered).toBe(true)
  })

  it('moves no sats in the book if it is redeemed elsewhere, and its code is deleted', async () => {
    await begin()
    const { id, code } = await create('500')
    world.provider.vouchers.redeem(code ?? '')
    await world.pass(60_000)
    expect(await world.tipping.vouchers.view(id)).toMatchObject({ state: 'redeemed', code: undefined })
    expect(await world.available('alice')).toBe(499_000n)
  })
})

describe('a member’s vouchers', () => {
  it('are listed newest first, without codes of drops, and are polled on request', async () => {
    await begin()
    const made: string[] = []
    for (const amount of ['100', '110', '120', '130']) {
      made.unshift((await create(amount)).id)
      await world.clock.advance(1)
    }
    const [newest = '', second = ''] = made
    const drop = { member: 'alice', amount: '30', shares: 1, codes: true, origin: world.origin() }
    await world.run(world.tipping.drops.open(drop))
    await world.settle()
    const { vouchers } = world.tipping
    expect((await vouchers.mine('alice', 10)).map(({ id }) => id)).toEqual(made)
    expect((await vouchers.mine('alice', 2)).map(({ id }) => id)).toEqual([newest, second])
    expect(await vouchers.mine('bob', 10)).toEqual([])
    world.provider.vouchers.redeem((await vouchers.view(newest)).code ?? '')
    expect((await status(newest)).state).toBe('redeemed')
    expect((await status(second)).state).toBe('live')
    const share = await world.database.read.voucher.findFirstOrThrow({ where: { dropId: { not: null } } })
    for (const refused of [() => status(second, 'bob'), () => status(share.id), () => revoke(share.id)]) {
      await expect(refused()).rejects.toMatchObject({ code: 'voucher-not-found' })
    }
    await expect(vouchers.view('nothing')).rejects.toMatchObject({ code: 'not-there' })
    await expect(vouchers.redemption('nothing')).rejects.toMatchObject({ code: 'not-there' })
  })
})

describe('a voucher whose creation has an unknown outcome (faults 6, 29)', () => {
  it.each<Fault>(['act-then-hang', 'act-then-reset', 'act-then-error', 'html'])(
    'is found under its key after %s, and is made only once',
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

  it('stays reserved after a refusal that its first attempt may have caused', async () => {
    await begin({ wallet: 0n })
    world.provider.vouchers.fee = 0n
    world.provider.misbehave('createVoucher', 'act-forget-then-error', 'act-forget-then-error', 'act-forget-then-error')
    const { id } = await world.run(create('600'))
    await world.pass(30 * 60_000)
    expect((await world.tipping.vouchers.view(id)).state).toBe('unknown')
    expect(await world.available('alice')).toBe(394_000n)
  })
})

describe('a bot that stops during a voucher’s creation or redemption (fault 21)', () => {
  it('later finds the code that was being made', async () => {
    await begin()
    world.provider.misbehave('createVoucher', 'act-then-hang')
    const making = create('500')
    making.catch(() => undefined)
    await world.provider.asked('createVoucher')
    expect(await world.tipping.vouchers.mine('alice', 1)).toMatchObject([{ state: 'creating' }])
    await world.restart()
    const [voucher] = await world.tipping.vouchers.mine('alice', 1)
    await world.pass(60_000)
    expect(await world.tipping.vouchers.view(voucher?.id ?? '')).toMatchObject({ state: 'live' })
    expect(world.provider.vouchers.all).toHaveLength(1)
  })

  it('returns the sats if no code was requested, and does not request one later', async () => {
    await begin()
    const died = world.dieAtCommit(1, 'after')
    void create('500').catch(() => undefined)
    await died
    expect(await world.tipping.vouchers.mine('alice', 1)).toMatchObject([{ state: 'creating' }])
    await world.reborn()
    await world.settle()
    expect(await world.tipping.vouchers.mine('alice', 1)).toMatchObject([{ state: 'failed', reason: undefined }])
    expect(await world.available('alice')).toBe(1_000_000n)
    expect(world.provider.count('createVoucher')).toBe(0)
  })

  it('credits a code that was being redeemed, and only once', async () => {
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

describe('the revocation of a voucher', () => {
  it('returns the amount once even if the answer is lost', async () => {
    await begin()
    const { id, card } = await create('500')
    const other = await create('100')
    world.provider.misbehave('revokeVoucher', 'act-then-reset', 'act-then-reset', 'act-then-reset')
    await revoke(id)
    await world.pass(60_000)
    expect(await world.tipping.vouchers.view(id)).toMatchObject({ state: 'revoked', code: undefined })
    expect(await revisionOf(card)).toBe(3)
    expect(await world.database.read.voucher.count({ where: { revoking: true } })).toBe(0)
    expect(await world.available('alice')).toBe(999_000n - 101_000n)
    expect(await world.tipping.vouchers.view(other.id)).toEqual(other)
    await expect(revoke(id)).rejects.toMatchObject({ code: 'voucher-over' })
  })

  it('is repeated until the provider is reachable again', async () => {
    await begin()
    const { id } = await create('500')
    await world.pass(3_600_000)
    await world.provider.down()
    expect((await revoke(id)).state).toBe('revoking')
    await world.provider.up()
    await world.pass(15_000)
    expect((await world.tipping.vouchers.view(id)).state).toBe('revoked')
    expect(await world.available('alice')).toBe(999_000n)
  })

  it('returns no sats for a code that was redeemed first', async () => {
    await begin()
    const { id, code } = await create('500')
    world.provider.vouchers.redeem(code ?? '')
    expect((await revoke(id)).state).toBe('redeemed')
    expect(await world.available('alice')).toBe(499_000n)
  })

  it('never succeeds together with a simultaneous redemption', async () => {
    await begin()
    const { id, code } = await create('500')
    await Promise.allSettled([revoke(id), redeem('bob', code ?? '')])
    await world.pass(60_000)
    const [alice, bob] = [await world.available('alice'), await world.available('bob')]
    expect(alice + bob).toBe(999_000n)
    expect([0n, 500_000n]).toContain(bob)
  })

  it('is refused if the voucher is another member’s', async () => {
    await begin()
    const { id } = await create('500')
    const command = { member: 'bob', voucher: id, origin: world.origin() }
    await expect(world.tipping.vouchers.revoke(command)).rejects.toMatchObject({ code: 'voucher-not-found' })
  })
})
