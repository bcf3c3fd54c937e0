import { describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import type { BatchCommand } from '../../../src/tipping/tipping.ts'
import { aliceHasSome } from '../funded-world.ts'
import type { TippingWorld, WorldOptions } from '../world.ts'

const DAY_MS = 24 * 3_600_000
let world: TippingWorld

async function begin(options: WorldOptions = {}): Promise<void> {
  world = await aliceHasSome(options)
}

const create = (change: Partial<BatchCommand> = {}, interaction?: string) =>
  world.run(
    world.tipping.voucherBatches.create({
      ...{ member: 'alice', amount: '10', count: 5, origin: world.origin(interaction) },
      ...change,
    }),
  )
const view = (batch: string) => world.tipping.voucherBatches.view(batch)
const codes = (batch: string, member = 'alice') => world.tipping.voucherBatches.codes({ member, batch })
const end = (batch: string, member = 'alice') => world.tipping.voucherBatches.end({ member, batch })
const redeem = (code: string, member = 'bob') =>
  world.run(world.tipping.vouchers.redeem({ member, code, origin: world.origin() }))
const made = () => world.provider.count('createVoucher')

describe('a batch of vouchers', () => {
  it('is paid from the balance in one debit, and all its codes are made', async () => {
    await begin()
    const { id } = await create({ description: 'Conference' })
    await world.settle()
    expect(await view(id)).toMatchObject({
      count: 5,
      amount: sats(10),
      state: 'open',
      codes: { live: 5, creating: 0 },
      fee: sats(5),
    })
    const mine = await codes(id)
    expect(mine.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5])
    expect(new Set(mine.map(({ code }) => code)).size).toBe(5)
    expect(world.provider.vouchers.all.map(({ amount }) => amount)).toEqual(Array(5).fill(sats(10)))
    expect(await world.available('alice')).toBe(sats(1_000 - 5 * 11))
    const [line, deposit] = (await world.tipping.history.page('alice', 0)).lines
    expect(line).toMatchObject({ operation: id, what: 'voucher', amount: -sats(55) })
    expect(deposit).toMatchObject({ what: 'deposit' })
  })

  it('can have more codes than the bot requests at a time', async () => {
    await begin()
    const { id } = await create({ amount: '1', count: 100 })
    await world.settle()
    expect((await view(id)).codes.live).toBe(100)
    expect(await world.available('alice')).toBe(sats(1_000 - 200))
  })

  it('is made once even if its command is delivered twice', async () => {
    await begin()
    const [one, other] = await Promise.all([create({}, 'again'), create({}, 'again')])
    await world.restart()
    expect((await create({}, 'again')).id).toBe(one.id)
    expect(other.id).toBe(one.id)
    await world.settle()
    expect(made()).toBe(5)
    expect(await world.available('alice')).toBe(sats(1_000 - 55))
  })

  it('is refused with invalid terms, and no sats move', async () => {
    await begin()
    const wrong = [
      [{ count: 0 }, 'voucher-count'],
      [{ count: 1_001 }, 'voucher-count'],
      [{ count: 1.5 }, 'voucher-count'],
      [{ count: -3 }, 'voucher-count'],
      [{ days: 0 }, 'voucher-days'],
      [{ days: 366 }, 'voucher-days'],
      [{ days: Number.NaN }, 'voucher-days'],
      [{ amount: 'all' }, 'amount-of-nothing'],
      [{ amount: '0.5' }, 'amount-too-small'],
      [{ amount: '-3' }, 'amount-zero'],
      [{ description: 'x'.repeat(201) }, 'text-too-long'],
      [{ amount: '500', count: 2 }, 'insufficient-for-batch'],
    ] as const
    for (const [change, code] of wrong) {
      await expect(create(change), JSON.stringify(change)).rejects.toMatchObject({ code })
      expect(await world.available('alice')).toBe(sats(1_000))
      expect(await world.tipping.voucherBatches.mine('alice', 5)).toEqual([])
    }
  })

  it('returns the sats of a code that the provider refuses to make', async () => {
    await begin()
    world.provider.misbehave('createVoucher', { refuse: 400, message: 'No.' })
    const { id } = await create()
    await world.settle()
    expect(await view(id)).toMatchObject({ codes: { live: 4, failed: 1 }, fee: sats(4) })
    expect(await world.available('alice')).toBe(sats(1_000 - 4 * 11))
  })

  it.each(['before', 'after'] as const)(
    'is completed once, and paid once, even if the bot dies just %s a commit',
    async (when) => {
      for (const commit of [1, 2, 4, 7]) {
        await begin()
        const died = world.dieAtCommit(commit, when)
        const asked = world.tipping.voucherBatches.create({
          ...{ member: 'alice', amount: '10', count: 5, origin: world.origin('again') },
        })
        asked.catch(() => undefined)
        await world.run(died)
        await world.reborn()
        const { id } = await create({}, 'again')
        await world.pass(3 * 60_000)
        const { live } = (await view(id)).codes
        expect([commit, live]).toEqual([commit, 5])
        expect(world.provider.vouchers.all).toHaveLength(5)
        expect(await world.available('alice')).toBe(sats(1_000 - 55))
        if (commit !== 7) await world.close()
      }
    },
  )

  it('shows its codes to nobody but its maker, who alone can end it', async () => {
    await begin()
    const { id } = await create()
    await world.settle()
    await expect(codes(id, 'bob')).rejects.toMatchObject({ code: 'voucher-not-found' })
    await expect(end(id, 'bob')).rejects.toMatchObject({ code: 'voucher-not-found' })
    expect(await view(id)).toMatchObject({ state: 'open', codes: { live: 5 } })
    // Its codes are not vouchers of their own, which could be taken back one by one.
    expect(await world.tipping.vouchers.mine('alice', 5)).toEqual([])
    const [{ id: voucher } = { id: '' }] = await codes(id)
    const revoked = world.tipping.vouchers.revoke({ member: 'alice', voucher, origin: world.origin() })
    await expect(revoked).rejects.toMatchObject({ code: 'voucher-not-found' })
  })

  it('has redeemed codes counted, and all others taken back when it is ended', async () => {
    await begin()
    const own = await world.run(world.tipping.vouchers.create({ member: 'alice', amount: '5', origin: world.origin() }))
    const { id } = await create()
    await world.settle()
    const [first, second] = await codes(id)
    await redeem(`'${first?.code?.toLowerCase()}`)
    world.provider.vouchers.redeem(second?.code ?? '')
    await end(id)
    await end(id)
    await world.pass(60_000)
    expect(await view(id)).toMatchObject({ state: 'closed', codes: { redeemed: 2, revoked: 3, live: 0, revoking: 0 } })
    expect(await world.available('bob')).toBe(sats(10))
    expect(await world.available('alice')).toBe(sats(1_000 - 6 - 5 - 2 * 10))
    expect((await world.tipping.vouchers.view(own.id)).state).toBe('live')
    expect((await codes(id)).map(({ code }) => code)).toEqual(Array(5).fill(undefined))
  })

  it('has every code taken back if it is ended during its creation', async () => {
    await begin()
    world.provider.misbehave('createVoucher', ...Array(8).fill('hang'))
    const { id } = await create({ count: 12 })
    await world.pass(0)
    expect(made()).toBe(8)
    await end(id)
    await world.pass(10 * 60_000)
    const lost = world.provider.vouchers.all
    expect(lost.filter(({ revoked }) => !revoked)).toEqual([])
    expect(await world.available('alice')).toBe(sats(1_000) - BigInt(lost.length) * sats(1))
    expect(await world.database.read.voucher.count({ where: { revoking: true } })).toBe(0)
  })
})

describe('a batch of vouchers with an expiry', () => {
  it('lets a code be redeemed until the last millisecond before its expiry', async () => {
    await begin()
    const { id, expiresAt } = await create({ days: 1 })
    await world.settle()
    const [first, second] = await codes(id)
    const leftMs = (expiresAt?.getTime() ?? 0) - world.clock.now()
    expect(leftMs).toBeLessThanOrEqual(DAY_MS)
    await world.pass(leftMs - 1)
    expect((await redeem(first?.code ?? '')).state).toBe('redeemed')
    // The provider is away, so that the code is not taken back yet.
    world.provider.misbehave('revokeVoucher', ...Array(20).fill('error'))
    await world.pass(1)
    await expect(redeem(second?.code ?? '', 'carol')).rejects.toMatchObject({ code: 'voucher-expired' })
    expect(await world.available('carol')).toBe(0n)
    await world.pass(3_600_000)
    expect(await view(id)).toMatchObject({ state: 'closed', codes: { redeemed: 1, revoked: 4 } })
    expect(await world.available('alice')).toBe(sats(1_000 - 5 - 10))
  })

  it('expires even if the bot has been restarted since its creation', async () => {
    await begin()
    const { id } = await create({ days: 1 })
    await world.settle()
    await world.restart()
    await world.pass(2 * DAY_MS)
    await world.settle()
    expect(await view(id)).toMatchObject({ state: 'closed', codes: { revoked: 5 } })
    expect(await world.available('alice')).toBe(sats(1_000 - 5))
  })

  it('differs from a batch without an expiry, which stays open', async () => {
    await begin()
    const { id } = await create({ count: 1 })
    await world.pass(20_000)
    // Nothing looks at it any more.
    expect((await world.database.read.pollJob.findUniqueOrThrow({ where: { id } })).nextAt).toBe(null)
    expect(await view(id)).toMatchObject({ state: 'open', expiresAt: undefined, codes: { live: 1 } })
  })
})
