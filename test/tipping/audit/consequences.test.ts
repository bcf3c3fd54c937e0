import { describe, expect, it } from 'vitest'
import { claim, open } from '../drops/drop-steps.ts'
import { invoiceFor } from '../withdrawals/outside.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'

let world: TippingWorld

/** Opens a world in which alice has 1,000 sats. */
async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open(options)
  await world.fund('alice', 1_000)
}

const FIVE_MINUTES_MS = 5 * 60_000
const DAY_MS = 24 * 3_600_000

const audit = () => world.run(world.tipping.audit())
const suspense = async () =>
  (await world.database.read.account.findFirst({ where: { kind: 'suspense' } }))?.balance ?? 0n
const alerts = async () =>
  (await world.database.read.alert.findMany({ orderBy: { id: 'asc' } })).map(({ kind, text }) => [kind, text])

/** Changes an unclaimed tip's record, so that it no longer explains the sats that are held for it. */
const say = (recipient: string, amount: bigint) =>
  world.database.write.tipShare.updateMany({ where: { recipient }, data: { amount } })

describe('the findings of an audit', () => {
  const short = "the provider's wallet holds 0.001 sats less than the books account for"

  it('are reported to operators together, once a day', async () => {
    await begin()
    await world.tip('alice', 'newcomer', '10')
    const { id } = await world.database.read.tipShare.findFirstOrThrow()
    await say('newcomer', 9_000n)
    world.provider.wallet -= 1n
    const unexplained = `held alice holds 10000 msats for ${id}, but its record (unclaimed tip, parked) says 9000`
    for (let times = 0; times < 2; times += 1) {
      expect((await audit()).faults).toEqual([unexplained, short])
      world.clock.jump(1_000)
    }
    const told = ['cover', `${unexplained}; ${short}`]
    expect(await alerts()).toEqual([told])
    world.clock.jump(DAY_MS)
    await audit()
    expect(await alerts()).toEqual([told, told])
    await say('newcomer', 10_000n)
    world.provider.wallet += 1n
  })

  it('include two records whose faults cancel each other out', async () => {
    await begin()
    await world.fund('bob', 100)
    await world.tip('alice', 'newcomer', '10')
    await world.tip('bob', 'stranger', '10')
    await say('newcomer', 9_000n)
    await say('stranger', 11_000n)
    expect((await audit()).faults).toEqual([
      expect.stringMatching(/^held alice holds 10000 msats .* says 9000$/),
      expect.stringMatching(/^held bob holds 10000 msats .* says 11000$/),
    ])
    for (const recipient of ['newcomer', 'stranger']) await say(recipient, 10_000n)
  })

  it('include a reserved amount that no open record explains', async () => {
    await begin()
    await world.tip('alice', 'newcomer', '10')
    const { id, state } = await world.database.read.tipShare.findFirstOrThrow()
    const end = (as: string) => world.database.write.tipShare.update({ where: { id }, data: { state: as } })
    await end('returned')
    const { faults } = await audit()
    await end(state)
    expect(faults).toEqual([`held alice holds 10000 msats for ${id}, but no open record explains them`])
  })

  it('exclude a correct pot from which people have taken shares', async () => {
    await begin()
    const { id } = await open(world, { shares: 2 })
    await claim(world, id, 'bob')
    await world.tip('alice', 'newcomer', '10')
    await say('newcomer', 9_000n)
    const { faults } = await audit()
    await say('newcomer', 10_000n)
    expect(faults).toEqual([expect.stringContaining('its record (unclaimed tip, parked) says 9000')])
  })

  it('include the unexplained sats of one holder among several', async () => {
    await begin()
    await world.fund('bob', 100)
    await world.tip('bob', 'stranger', '10')
    await world.tip('alice', 'newcomer', '10')
    const { id, state } = await world.database.read.tipShare.findFirstOrThrow({ where: { recipient: 'newcomer' } })
    const end = (as: string) => world.database.write.tipShare.update({ where: { id }, data: { state: as } })
    await end('returned')
    const { faults } = await audit()
    await end(state)
    expect(faults).toEqual([`held alice holds 10000 msats for ${id}, but no open record explains them`])
  })

  it('include a record of sats that are not reserved', async () => {
    await begin()
    await world.fund('bob', 100)
    await world.tip('alice', 'bob', '10')
    const { id } = await world.database.read.tipShare.findFirstOrThrow()
    const set = (data: object) => world.database.write.tipShare.update({ where: { id }, data })
    await set({ state: 'parked', until: new Date(world.clock.now() + DAY_MS) })
    const { faults } = await audit()
    await set({ state: 'credited', until: null })
    expect(faults).toEqual([`held alice holds 0 msats for ${id}, but its record (unclaimed tip, parked) says 10000`])
  })

  it('count the sats of members, pools, pots, reserves and suspense as debt', async () => {
    await begin()
    const by = { member: 'alice', origin: world.origin() }
    await world.tipping.pools.give({ ...by, guild: 'guild', amount: '100' })
    await world.tip('alice', 'newcomer', '10')
    const drop = { member: 'alice', amount: '60', shares: 2, minutes: 60, origin: world.origin() }
    await world.tipping.drops.open(drop)
    world.provider.wallet += 7_000n
    await audit()
    await world.pass(FIVE_MINUTES_MS)
    await audit()
    expect(await audit()).toMatchObject({ holds: true, owed: 1_007_000n, suspense: 7_000n, operator: 0n })
    await world.tipping.administration.audit()
    expect((await world.tipping.administration.status()).proven).toMatchObject({ owed: 1_007_000n })
  })

  it('are not written if the bot is about to stop', async () => {
    await begin({ wallet: 1_000n })
    const stopping = world.tipping
    const before = await world.database.read.snapshot.count()
    world.provider.wallet -= 1n
    world.provider.misbehave('getWallet', { before: () => void stopping.close() })
    expect(await world.run(stopping.administration.audit())).toMatchObject({ holds: false })
    world.provider.wallet += 1n
    expect(await world.database.read.snapshot.count()).toBe(before)
    expect(await alerts()).toEqual([])
    await world.start()
    await world.settle()
    expect((await world.tipping.administration.status()).paused).toBeUndefined()
  })
})

describe('the sats that move while an audit reads the wallet', () => {
  it.each<[string, () => Promise<unknown>, { out?: bigint; in?: bigint; late?: bigint }]>([
    ['a payout that is paid', () => world.tip('alice', 'bob', '100'), { out: 100_000n }],
    ['a deposit that is credited', () => world.fund('alice', 100), { in: 100_000n }],
    ['a deposit that the provider counts later', () => world.fund('alice', 100), { in: 100_000n, late: -100_000n }],
    ['a tip that stays in the book', () => world.tip('alice', 'newcomer', '100'), {}],
  ])('are allowed for exactly: %s', async (_, move, { out = 0n, in: into = 0n, late = 0n }) => {
    await begin()
    await world.linked('bob')
    world.provider.misbehave('getWallet', {
      before: async () => {
        await move()
        world.provider.wallet += late
      },
    })
    const found = { holds: true, faults: [], expected: 1_000_000n, mayHaveLeft: out, mayHaveArrived: into }
    expect(await audit()).toMatchObject(found)
    world.provider.wallet -= late
  })

  it('include those of a failed withdrawal that the provider returns later', async () => {
    await begin({ wallet: 100_000n })
    const { provider, tipping } = world
    provider.outgoing.next = 'processing'
    const request = { member: 'alice', amount: '500', to: invoiceFor(world, 500) }
    const { id } = await tipping.withdrawals.ask({ ...request, origin: world.origin() })
    await world.run(tipping.withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() }))
    const { token } = await world.database.read.withdrawal.findFirstOrThrow()
    const sending = provider.outgoing.only('payments')
    const back = sending.amount + sending.limit
    provider.misbehave('getWallet', {
      before: async () => {
        provider.outgoing.end(sending, 'failed')
        await tipping.hint(token ?? '')
        await tipping.settled()
        provider.wallet -= back
      },
    })
    expect(await audit()).toMatchObject({ holds: true, faults: [] })
    expect((await tipping.withdrawals.view(id)).state).toBe('returned')
    provider.wallet += back
  })
})

describe('a surplus in the wallet', () => {
  /** Creates a surplus that was first seen five minutes ago. */
  async function seen(msats: bigint): Promise<void> {
    world.provider.wallet += msats
    await audit()
    await world.pass(FIVE_MINUTES_MS)
  }

  it('goes to suspense up to the amount that two audits have seen', async () => {
    await begin()
    await seen(7_000n)
    world.provider.wallet += 3_000n
    expect((await audit()).faults).toEqual(["the provider's wallet holds 10 sats more than the books account for"])
    expect(await suspense()).toBe(7_000n)
    await seen(0n)
    world.provider.wallet -= 1_000n
    await audit()
    expect(await suspense()).toBe(9_000n)
    const booked = await world.database.read.entry.findMany({ where: { operation: { startsWith: 'surplus-' } } })
    expect(booked.map(({ step }) => step)).toEqual(['post', 'post'])
  })

  it('excludes deposits that are credited while the wallet is read', async () => {
    await begin()
    await seen(7_000n)
    world.provider.misbehave('getWallet', { before: () => world.fund('alice', 100) })
    await audit()
    expect(await suspense()).toBe(7_000n)
    expect(await world.available('alice')).toBe(1_100_000n)
  })

  it('is accepted only 5 minutes after the end of any other fault', async () => {
    await begin()
    await world.tip('alice', 'newcomer', '10')
    await seen(7_000n)
    await say('newcomer', 9_000n)
    await audit()
    expect(await suspense()).toBe(0n)
    await say('newcomer', 10_000n)
    await audit()
    expect(await suspense()).toBe(0n)
    await world.pass(FIVE_MINUTES_MS)
    await audit()
    expect(await suspense()).toBe(7_000n)
  })

  it('goes to suspense only once every charge has been read', async () => {
    await begin()
    await world.fund('bob', 100)
    await seen(7_000n)
    const reading = { before: () => undefined }
    world.provider.misbehave('getStaticCharge', 'error', reading, 'error', 'error')
    await audit()
    expect(await suspense()).toBe(0n)
    await seen(0n)
    await audit()
    expect(await suspense()).toBe(7_000n)
  })

  it('is not booked again if operators have just booked it', async () => {
    await begin({ besideOthers: true })
    const first = world.tipping
    const second = await world.start()
    await world.run(first.audit())
    world.provider.wallet += 5_000n
    await world.run(first.audit())
    await world.pass(FIVE_MINUTES_MS)
    // The first commit is what operators are told.
    world.beforeNextCommit = async () => {
      world.beforeNextCommit = async () => {
        const booked = { what: 'top-up', amount: '5', reason: 'I paid it in' } as const
        for (const operator of ['olga', 'oscar']) await second.administration.book({ ...booked, operator })
      }
    }
    await world.run(first.audit())
    expect(await world.database.read.booking.findMany()).toMatchObject([{ state: 'done' }])
    expect(await suspense()).toBe(0n)
    expect(await world.run(first.audit())).toMatchObject({ holds: true, operator: 5_000n })
  })

  it('makes the audit fail if it cannot be written, and is found by a later audit', async () => {
    await begin()
    await seen(5_000n)
    world.beforeNextCommit = async () => {
      world.beforeNextCommit = async () => {
        world.failCommits = 1
      }
    }
    await expect(audit()).rejects.toThrow('nothing happened')
    expect(await suspense()).toBe(0n)
    await seen(0n)
    await audit()
    expect(await suspense()).toBe(5_000n)
  })

  it('belongs to the pool if a fundraiser’s code was paid after the fundraiser’s end', async () => {
    await begin()
    const command = { member: 'alice', guild: 'guild', amount: '100', goal: '500', origin: world.origin() }
    const { id } = await world.tipping.pools.fundraise(command)
    const charge = [...world.provider.charges.values()].at(-1)
    await world.pass(6 * 3_600_000)
    await world.tipping.pools.closeFundraiser({ fundraiser: id, member: 'owner' })
    await world.pass(6 * 3_600_000)
    expect(await world.database.read.fundraiser.findFirst()).toMatchObject({ disabled: true })
    world.provider.payCharge(charge?.id ?? '')
    const read = world.provider.count('getStaticCharge')
    await audit()
    await world.pass(FIVE_MINUTES_MS)
    expect(world.provider.count('getStaticCharge')).toBe(read)
    await audit()
    expect(await audit()).toMatchObject({ holds: true, suspense: 0n, owed: 1_100_000n })
    const pool = await world.database.read.account.findFirst({ where: { kind: 'pool', owner: 'guild' } })
    expect(pool?.balance).toBe(100_000n)
  })

  it('goes to suspense later, without the sats that a late payment explains', async () => {
    await begin()
    const { request } = await world.tipping.deposits.open({ member: 'alice', amount: '500', origin: world.origin() })
    await world.pass(60 * 3_600_000)
    world.provider.payCharge(world.provider.chargeOf(request).id)
    await seen(7_000n)
    await audit()
    expect(await world.available('alice')).toBe(1_500_000n)
    expect(await suspense()).toBe(0n)
    await audit()
    expect(await suspense()).toBe(0n)
    await world.pass(FIVE_MINUTES_MS)
    await audit()
    expect(await suspense()).toBe(7_000n)
  })
})
