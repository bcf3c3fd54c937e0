import { describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import type { DropCommand } from '../../../src/tipping/tipping.ts'
import { aliceHasSome } from '../funded-world.ts'
import type { TippingWorld, WorldOptions } from '../world.ts'
import * as entries from './drop-steps.ts'

let world: TippingWorld

async function begin(options: WorldOptions = {}): Promise<void> {
  world = await aliceHasSome(options)
}

const open = (command: Partial<DropCommand> = {}, interaction?: string) => entries.open(world, command, interaction)
const claim = (drop: string, id: string, answer?: string) => entries.claim(world, drop, id, answer)
const close = (drop: string, member?: string) => entries.close(world, drop, member)

describe('a drop of codes', () => {
  it('loses one share for each code that cannot be made', async () => {
    await begin()
    world.provider.misbehave('createVoucher', { refuse: 400, message: 'No.' })
    const { id } = await open({ codes: true, shares: 3, amount: '90' })
    await world.settle()
    expect((await world.tipping.drops.view(id)).shares).toBe(2)
    const mine = await Promise.all(['bob', 'carol'].map((who) => claim(id, who)))
    expect(new Set(mine.map(({ voucher }) => voucher?.code)).size).toBe(2)
    expect(world.provider.vouchers.all.map(({ description }) => description)).toEqual(
      Array(2).fill('A share of a drop'),
    )
    await expect(claim(id, 'dave')).rejects.toMatchObject({ code: 'drop-empty' })
    expect(await world.available('alice')).toBe(1_000_000n - 62_000n)
  })

  it('gives each code to only one person, who sees it until it is redeemed', async () => {
    await begin()
    const { id } = await open({ codes: true, shares: 2, amount: '60' })
    await world.settle()
    const people = ['bob', 'carol', 'dave', 'erin', 'frank']
    const told = await entries.outcomes(people.map((who) => claim(id, who)))
    expect(told.toSorted()).toEqual(['drop-empty', 'drop-empty', 'drop-empty', 'share', 'share'])
    const taken = await world.database.read.dropClaim.findMany({ where: { dropId: id } })
    const view = (one: (typeof taken)[number] | undefined) => world.tipping.drops.claimView(one?.id ?? '')
    const { voucher } = await view(taken[0])
    expect(voucher).toMatchObject({ anyWallet: false })
    await world.database.write.voucher.updateMany({ data: { walletRequest: 'LNURL1VOUCHER', walletAmount: 19_000n } })
    expect((await view(taken[0])).voucher).toMatchObject({ code: voucher?.code, anyWallet: true })
    world.provider.vouchers.redeem(voucher?.code ?? '')
    await world.pass(60_000)
    expect((await view(taken[0])).voucher).toMatchObject({ code: undefined, anyWallet: false })
    expect((await view(taken[1])).voucher).toMatchObject({ code: expect.stringMatching(/^C/) })
  })

  it('requests eight codes at a time, and takes them back if it closes meanwhile', async () => {
    await begin()
    world.provider.misbehave('createVoucher', ...Array(8).fill('hang'))
    const { id } = await open({ codes: true, shares: 10, puzzle: 'phrase', answer: ' To the moon ' })
    await world.pass(0)
    expect(world.provider.count('createVoucher')).toBe(8)
    // A right answer is none too many, however often it comes too soon.
    for (const _ of [1, 2, 3, 4]) {
      await expect(claim(id, 'bob', 'to the moon!')).rejects.toMatchObject({ code: 'drop-codes-coming' })
    }
    await close(id)
    await world.pass(10 * 60_000)
    const made = world.provider.vouchers.all
    expect(made.filter(({ revoked }) => !revoked)).toEqual([])
    expect(await world.available('alice')).toBe(1_000_000n - BigInt(made.length) * 1_000n)
    expect(made.length).toBeLessThanOrEqual(8)
    // Those that were never made have ended, too: nothing is about to be taken back any more.
    expect(await world.database.read.voucher.count({ where: { state: 'failed' } })).toBe(10 - made.length)
    expect(await world.database.read.voucher.count({ where: { revoking: true } })).toBe(0)
    const { share, shares, returned } = await world.tipping.drops.view(id)
    expect({ shares, returned }).toEqual({ shares: made.length, returned: share * 10n })
  })

  it('takes back only the unclaimed codes', async () => {
    await begin()
    const own = await world.run(world.tipping.vouchers.create({ member: 'alice', amount: '5', origin: world.origin() }))
    const { id } = await open({ codes: true, shares: 3, amount: '60' })
    await world.settle()
    const { voucher } = await claim(id, 'bob')
    const pollOf = (job: string) => world.database.read.pollJob.findUnique({ where: { id: job } })
    const before = await pollOf(own.id)
    await close(id)
    // Another's is not even looked at sooner.
    expect(await pollOf(own.id)).toEqual(before)
    await world.pass(60_000)
    const live = world.provider.vouchers.all.filter(({ revoked }) => !revoked)
    expect(live.map(({ code }) => code)).toEqual([own.code, voucher?.code])
    expect(await world.tipping.drops.view(id)).toMatchObject({ state: 'closed', claimed: 1, returned: 40_000n })
  })

  it('counts on leaderboards for each claimed code until that code is taken back', async () => {
    await begin()
    const { id } = await open({ codes: true, shares: 2, amount: '60' })
    await world.settle()
    const { voucher } = await claim(id, 'bob')
    const boards = () =>
      Promise.all((['day', 'week', 'year'] as const).map((span) => world.tipping.insights.leaderboard('guild', span)))
    const receivers = [{ member: 'bob', amount: sats(30) }]
    expect((await boards()).map((board) => board.receivers)).toEqual([receivers, receivers, receivers])
    world.provider.vouchers.takeBack(voucher?.code ?? '')
    await world.pass(3_600_000)
    expect((await boards()).map((board) => board.receivers)).toEqual([[], [], []])
  })

  it('takes its codes back as soon as it closes, without waiting for their next poll', async () => {
    await begin()
    const { id } = await open({ codes: true, shares: 2, amount: '60', minutes: 24 * 60 })
    await world.pass(20 * 3_600_000)
    await close(id)
    await world.pass(1_000)
    expect(world.provider.vouchers.all.map(({ revoked }) => revoked)).toEqual([true, true])
  })

  it('does not take back codes that were never made', async () => {
    await begin()
    world.provider.misbehave('createVoucher', { refuse: 400, message: 'No.' })
    const { id } = await open({ codes: true, shares: 3, amount: '60' })
    await world.settle()
    await close(id)
    const asked = await world.database.read.voucher.findMany({ where: { dropId: id }, orderBy: { state: 'asc' } })
    expect(asked.map(({ state, revokeAskedAt }) => [state === 'failed', revokeAskedAt === null])).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ])
    await world.pass(60_000)
  })

  it('takes back only the unclaimed codes if it closes while people press its button', async () => {
    await begin()
    const { id } = await open({ codes: true, shares: 25, amount: '250' })
    await world.settle()
    const closing = close(id)
    const told = await entries.oneAfterTheOther(20, (who) => claim(id, who))
    expect(await closing).toMatchObject({ state: 'closed' })
    const taken = told.filter((code) => code === 'share').length
    expect(told.filter((code) => code === 'drop-over')).toHaveLength(20 - taken)
    await world.pass(60_000)
    expect(world.provider.vouchers.all.filter(({ revoked }) => !revoked)).toHaveLength(taken)
  })

  it('takes back unclaimed codes, even those found to exist only after it closed', async () => {
    await begin()
    world.provider.misbehave('createVoucher', 'act-then-error', 'act-then-error', 'act-then-error')
    const { id } = await open({ codes: true, shares: 2, amount: '60' })
    await world.run(world.tipping.drops.close({ drop: id, member: 'alice', moderator: false, origin: world.origin() }))
    await world.pass(5 * 60_000)
    expect(world.provider.vouchers.all.every(({ revoked }) => revoked)).toBe(true)
    const fees = BigInt(world.provider.vouchers.all.length) * 1_000n
    expect(await world.available('alice')).toBe(1_000_000n - fees)
  })

  it('takes back a code whose creation was uncertain once it is known to exist', async () => {
    await begin()
    world.provider.misbehave('createVoucher', ...Array(6).fill('act-then-error'))
    const { id } = await open({ codes: true, shares: 2, amount: '60' })
    await world.settle()
    expect(await world.database.read.voucher.count({ where: { dropId: id, state: 'unknown' } })).toBe(2)
    expect(await close(id)).toMatchObject({ returned: 0n })
    await world.pass(5 * 60_000)
    expect(await world.tipping.drops.view(id)).toMatchObject({ returned: 60_000n })
    expect(world.provider.vouchers.all.map(({ revoked }) => revoked)).toEqual([true, true])
    expect(await world.available('alice')).toBe(1_000_000n - 2_000n)
  })

  it('gives codes to the winners of its draw, and takes back the other codes', async () => {
    await begin()
    const own = await world.run(world.tipping.vouchers.create({ member: 'alice', amount: '1', origin: world.origin() }))
    const { id } = await open({ codes: true, draw: true, shares: 3, amount: '60' })
    await world.settle()
    const mine = await Promise.all(['bob', 'carol'].map((who) => claim(id, who)))
    expect(mine.map(({ voucher }) => voucher)).toEqual([undefined, undefined])
    await close(id)
    await world.pass(60_000)
    const drawn = await Promise.all(mine.map((one) => world.tipping.drops.claimView(one.id)))
    expect(new Set([own, ...drawn.map(({ voucher }) => voucher)].map((each) => each?.code)).size).toBe(3)
    expect(await world.tipping.drops.view(id)).toMatchObject({ claimed: 2, returned: 20_000n })
    expect(await world.available('alice')).toBe(1_000_000n - 45_000n)
  })

  it('draws at most as many winners as there are codes', async () => {
    await begin()
    world.provider.misbehave('createVoucher', ...Array(6).fill('error'))
    const { id } = await open({ codes: true, draw: true, shares: 3, amount: '60' })
    await world.pass(0)
    for (const who of ['bob', 'carol', 'dave']) await claim(id, who)
    const codes = await world.database.read.voucher.count({ where: { dropId: id, state: 'live' } })
    expect(codes).toBeLessThan(3)
    const { winners } = await close(id)
    expect(winners).toHaveLength(codes)
  })

  it.each([
    [3, 329_000n],
    [2, 495_000n],
  ])('leaves exactly the fees of its %d codes in the balance if its amount is “all”', async (shares, share) => {
    await begin()
    expect(await open({ codes: true, shares, amount: 'all' })).toMatchObject({ share })
    await world.settle()
  })

  it('is refused, with its cost and its fees stated, if the balance is too small', async () => {
    await begin({ settings: { minAmount: sats(40) } })
    const refused = (feeLimit: bigint) => ({
      ...{ code: 'insufficient-with-fee', name: 'TippingRefusal' },
      facts: { balance: sats(1_000), needed: sats(1_000) + feeLimit, missing: feeLimit, feeLimit },
    })
    await expect(open({ codes: true, shares: 2, amount: '1000' })).rejects.toMatchObject(refused(10_000n))
    // No code is for less than may be given, though all of it were otherwise enough.
    await expect(open({ codes: true, shares: 25, amount: 'all' })).rejects.toMatchObject(refused(25_000n))
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('is not offered if the provider has no vouchers', async () => {
    await begin({ replays: false })
    const drop = { member: 'alice', amount: '500', shares: 2, codes: true, origin: world.origin() }
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { confirmAbove: sats(100) } })
    await expect(world.tipping.drops.ask(drop)).rejects.toMatchObject({ code: 'vouchers-not-offered' })
    expect(await world.tipping.drops.ask({ ...drop, codes: false })).toMatchObject({ asked: expect.any(String) })
    await expect(open({ codes: true, shares: 2 })).rejects.toMatchObject({ code: 'vouchers-not-offered' })
    expect(await open({ codes: false, shares: 2 })).toMatchObject({ state: 'open', codes: false })
  })
})
