import { afterEach, describe, expect, it } from 'vitest'
import { World, type WorldOptions } from './world.ts'

let world: World

async function begin(options: WorldOptions = {}): Promise<World> {
  world = await World.open(options)
  return world
}

afterEach(() => world.close())

describe('a tip', () => {
  it('reaches the gamertag wallet of a linked member, and shows the transaction', async () => {
    await begin()
    await world.fund('alice', 10_000)
    const bob = await world.linked('bob')
    const tip = await world.tip('alice', 'bob', '500')
    expect(tip.shares).toEqual([
      { recipient: 'bob', amount: 500_000n, state: 'paid', transactionId: expect.any(String) },
    ])
    expect(world.received(bob)).toBe(500_000n)
    expect(await world.available('alice')).toBe(9_500_000n)
    expect(await world.tipping.balance('bob')).toMatchObject({ available: 0n, sentToGamertag: 500_000n })
  })

  it('is credited at once to somebody who uses the bot without a link', async () => {
    await begin()
    await world.fund('alice', 1_000)
    await world.available('bob')
    const tip = await world.tip('alice', 'bob', '250')
    expect(tip.shares).toEqual([{ recipient: 'bob', amount: 250_000n, state: 'credited' }])
    expect(await world.available('bob')).toBe(250_000n)
  })

  it('is parked for a newcomer, who claims it', async () => {
    await begin()
    await world.fund('alice', 1_000)
    const tip = await world.tip('alice', 'carol', '250')
    expect(tip.shares[0]).toMatchObject({ state: 'parked', until: expect.any(Date) })
    expect((await world.tipping.balance('alice')).waitingForOthers).toBe(250_000n)
    expect((await world.tipping.balance('carol')).parked).toMatchObject({ amount: 250_000n, count: 1 })
    const claim = await world.tipping.claim({ member: 'carol', origin: world.origin() })
    expect(claim).toMatchObject({ amount: 250_000n, state: 'credited', shares: [{ from: 'alice', amount: 250_000n }] })
    expect((await world.tipping.tipView(tip.id)).shares[0]?.state).toBe('claimed')
    expect(await world.available('carol')).toBe(250_000n)
    await expect(world.tipping.claim({ member: 'carol', origin: world.origin() })).rejects.toMatchObject({
      code: 'nothing-to-claim',
    })
  })

  it('claimed by somebody who linked meanwhile goes on to their wallet in one payment', async () => {
    await begin()
    await world.fund('alice', 1_000)
    await world.tip('alice', 'carol', '250')
    await world.tip('alice', 'carol', '50')
    const carol = await world.linked('carol')
    const claim = await world.tipping.claim({ member: 'carol', origin: world.origin() })
    expect(claim).toMatchObject({ amount: 300_000n, state: 'paid' })
    expect(world.received(carol)).toBe(300_000n)
    expect(world.provider.count('payToGamertag')).toBe(1)
  })

  it('to several pays each the amount, or each a share rounded down to a sat', async () => {
    await begin()
    await world.fund('alice', 1_000)
    for (const member of ['bob', 'carol', 'dave']) await world.available(member)
    const each = await world.tip('alice', ['bob', 'carol', 'bob', 'alice', 'bot-1'], '100')
    expect(each.total).toBe(200_000n)
    const split = await world.tipping.tip({
      from: 'alice',
      to: ['bob', 'carol', 'dave'].map((id) => ({ id, bot: false })),
      amount: '100',
      split: true,
      origin: world.origin(),
    })
    expect(split.shares.map((share) => share.amount)).toEqual([33_000n, 33_000n, 33_000n])
    expect(await world.available('alice')).toBe(701_000n)
  })

  it('of all takes the whole balance, of half a half', async () => {
    await begin()
    await world.fund('alice', 1_001)
    await world.available('bob')
    expect((await world.tip('alice', 'bob', 'half')).total).toBe(500_000n)
    expect((await world.tip('alice', 'bob', 'ALL')).total).toBe(501_000n)
    expect(await world.available('alice')).toBe(0n)
    await expect(world.tip('alice', 'bob', 'all')).rejects.toMatchObject({ code: 'insufficient-funds' })
  })

  it('larger than the balance is refused with what is missing', async () => {
    await begin()
    await world.fund('alice', 340)
    await expect(world.tip('alice', 'bob', '500')).rejects.toMatchObject({
      code: 'insufficient-funds',
      facts: { balance: 340_000n, needed: 500_000n, missing: 160_000n },
    })
    expect(await world.available('alice')).toBe(340_000n)
  })

  it.each([
    [['alice'], 'tip-to-self'],
    [['bot-1'], 'tip-to-bot'],
    [[], 'no-recipients'],
    [Array.from({ length: 51 }, (_, i) => `member-${i}`), 'too-many-recipients'],
  ])('to %j is refused as %s', async (to, code) => {
    await begin()
    await expect(world.tip('alice', to as string[], '5')).rejects.toMatchObject({ code })
  })

  it('with a note that is too long is refused', async () => {
    await begin()
    const to = [{ id: 'bob', bot: false }]
    const tip = world.tipping.tip({ from: 'alice', to, amount: '5', note: 'x'.repeat(201), origin: world.origin() })
    await expect(tip).rejects.toMatchObject({ code: 'text-too-long', facts: { what: 'note', most: 200 } })
  })

  it('that nobody claims goes back when its time is over', async () => {
    await begin({ settings: { parkingDays: 1 / 24 } })
    await world.fund('alice', 1_000)
    const tip = await world.tip('alice', 'carol', '250')
    await world.pass(55 * 60_000)
    expect((await world.tipping.tipView(tip.id)).shares[0]?.state).toBe('parked')
    await world.pass(20 * 60_000)
    expect((await world.tipping.tipView(tip.id)).shares[0]?.state).toBe('returned')
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('is not returned early because somebody set the clock', async () => {
    await begin({ settings: { parkingDays: 2 } })
    await world.fund('alice', 1_000)
    const tip = await world.tip('alice', 'carol', '250')
    world.clock.jump(365 * 24 * 3_600_000)
    await world.pass(1_200_000)
    expect((await world.tipping.tipView(tip.id)).shares[0]?.state).toBe('parked')
    await world.pass(24 * 3_600_000)
    expect((await world.tipping.tipView(tip.id)).shares[0]?.state).toBe('returned')
  })
})

describe('fault 1: two commands pass the same balance check at once', () => {
  it('and only as many succeed as the balance covers', async () => {
    await begin()
    await world.fund('alice', 1_000)
    await world.available('bob')
    const tips = await Promise.allSettled(Array.from({ length: 20 }, () => world.tip('alice', 'bob', '150')))
    expect(tips.filter((tip) => tip.status === 'fulfilled')).toHaveLength(6)
    expect(await world.available('alice')).toBe(100_000n)
    expect(await world.available('bob')).toBe(900_000n)
  })

  it('also when two take all of it', async () => {
    await begin()
    await world.fund('alice', 1_000)
    await world.available('bob')
    const tips = await Promise.allSettled([world.tip('alice', 'bob', 'all'), world.tip('alice', 'bob', 'all')])
    expect(tips.map((tip) => tip.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await world.available('bob')).toBe(1_000_000n)
  })
})

describe('fault 22: one interaction is delivered twice', () => {
  it.each(['at once', 'later', 'after a restart'])('%s, and moves money once', async (when) => {
    await begin()
    await world.fund('alice', 1_000)
    const bob = await world.linked('bob')
    const first = world.tip('alice', 'bob', 'all', 'the-same')
    if (when !== 'at once') await first
    if (when === 'after a restart') await world.restart()
    const second = await world.tip('alice', 'bob', 'all', 'the-same')
    expect(second).toEqual(await first)
    expect(world.received(bob)).toBe(1_000_000n)
    expect(world.provider.count('payToGamertag')).toBe(1)
  })

  it('to two bots on one book, and moves money once', async () => {
    await begin()
    await world.fund('alice', 1_000)
    const bob = await world.linked('bob')
    const one = world.tipping
    const other = await world.start()
    const command = { from: 'alice', to: [{ id: 'bob', bot: false }], amount: '100', origin: world.origin() }
    const [left, right] = await Promise.all([one.tip(command), other.tip(command)])
    expect(left.id).toBe(right.id)
    await world.settle()
    expect(world.received(bob)).toBe(100_000n)
  })

  it('with another content, and the second is refused', async () => {
    await begin()
    await world.fund('alice', 1_000)
    await world.available('bob')
    await world.tip('alice', 'bob', '100', 'the-same')
    await expect(world.tip('alice', 'bob', '200', 'the-same')).rejects.toMatchObject({ code: 'already-done' })
    expect(await world.available('bob')).toBe(100_000n)
  })

  it('as a claim, and both see the same claim', async () => {
    await begin()
    await world.fund('alice', 1_000)
    await world.tip('alice', 'carol', '250')
    const command = { member: 'carol', origin: world.origin() }
    const [first, second] = await Promise.all([world.tipping.claim(command), world.tipping.claim(command)])
    expect(first).toEqual(second)
    expect(await world.available('carol')).toBe(250_000n)
  })
})
