import { describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { type Limits, NO_LIMITS } from '../../src/tipping/core/gift-limits.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

/** Opens a world in which alice has 10,000 sats, and bob uses the bot. */
async function begin(limits: Partial<Limits>): Promise<void> {
  world = await TippingWorld.open({ settings: { limits: { ...NO_LIMITS, ...limits } } })
  await world.fund('alice', 10_000)
  await world.tipping.balances.view('bob')
}

const DAY_MS = 24 * 3_600_000
const refusedAs = (code: string, facts: object = {}) =>
  expect.objectContaining({ code, facts: expect.objectContaining(facts) })

interface Given {
  readonly from?: string
  readonly to?: string[]
  readonly accountSince?: Date
  readonly guild?: string | null
}

function tip(amount: string, { from = 'alice', to = ['bob'], accountSince, guild = 'guild' }: Given = {}) {
  const recipients = to.map((id) => ({ id, bot: false }))
  const origin = { ...world.origin(), guild }
  return world.run(world.tipping.tips.send({ from, to: recipients, amount, accountSince, origin }))
}

function link(member: string, gamertag: string) {
  return world.tipping.links.link({ member, gamertag, origin: world.origin() })
}

function unlink(member: string) {
  return world.tipping.links.unlink({ member, origin: world.origin() })
}

describe('the daily limit', () => {
  it('is reduced by each gift, and is whole again the next day', async () => {
    await begin({ perDay: sats(1_000) })
    await tip('600')
    await world.pass(3_600_000)
    const facts = { cap: 1_000_000n, left: 400_000n, until: new Date(Date.UTC(2030, 0, 2)) }
    await expect(tip('401')).rejects.toThrow(refusedAs('limit-reached', facts))
    await tip('200', { to: ['bob', 'carol'] })
    await expect(tip('1')).rejects.toThrow(refusedAs('limit-reached', { left: 0n }))
    expect(await world.available('bob')).toBe(800_000n)
    await world.leap(DAY_MS)
    await tip('1000')
  })

  it('is not used up by a tip that could not be paid', async () => {
    await begin({ perDay: sats(20_000) })
    await expect(tip('15000')).rejects.toThrow(refusedAs('insufficient-funds'))
    await tip('10000')
  })

  it('is not exceeded even if two tips are sent simultaneously', async () => {
    await begin({ perDay: sats(1_000) })
    const both = await Promise.allSettled([tip('600'), tip('600')])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await world.available('bob')).toBe(600_000n)
  })

  it('is not doubled by a second Discord account on the same Lightning account', async () => {
    await begin({ perDay: sats(1_000) })
    await world.linked('alice')
    await tip('900')
    await unlink('alice')
    await world.fund('mallory', 5_000)
    await link('mallory', 'alice-tag')
    await expect(tip('101', { from: 'mallory' })).rejects.toThrow(refusedAs('limit-reached', { left: 100_000n }))
    await unlink('mallory')
    await expect(tip('101', { from: 'mallory' })).rejects.toThrow(refusedAs('limit-reached'))
    await tip('100', { from: 'mallory' })
  })

  it('stays the same for a member who links another Lightning account', async () => {
    await begin({ perDay: sats(1_000) })
    await tip('900')
    await world.linked('alice')
    await expect(tip('101')).rejects.toThrow(refusedAs('limit-reached', { left: sats(100) }))
    await tip('100')
  })

  it('is lower for a young account', async () => {
    await begin({ perDay: sats(1_000), newAccountPerDay: sats(100), newAccountDays: 7 })
    const daysAgo = (days: number) => new Date(world.clock.now() - days * DAY_MS)
    const young = { accountSince: daysAgo(6) }
    await expect(tip('101', young)).rejects.toThrow(refusedAs('limit-new-account', { cap: 100_000n }))
    await tip('100', young)
    await tip('500', { accountSince: daysAgo(7) })
  })

  it('is never higher for a young account than for others', async () => {
    await begin({ perDay: sats(100), newAccountPerDay: sats(500) })
    const young = { accountSince: new Date(world.clock.now()) }
    await expect(tip('101', young)).rejects.toThrow(refusedAs('limit-reached', { cap: sats(100) }))
    await world.start({ limits: { ...NO_LIMITS, perDay: sats(500), newAccountPerDay: sats(500) } })
    await expect(tip('501', young)).rejects.toThrow(refusedAs('limit-reached', { cap: sats(500) }))
  })

  it('is separate for each member, each server, and private messages', async () => {
    await begin({ perDay: sats(1_000), coolDownSeconds: 30 })
    for (const from of ['mallory', 'carol', 'dave']) await world.fund(from, 1_000)
    for (const from of ['alice', 'mallory']) await world.linked(from)
    for (const from of ['alice', 'mallory', 'carol', 'dave']) await tip('1000', { from })
    for (const guild of ['another', null]) {
      await tip('1000', { guild })
      await world.pass(30_000)
      await expect(tip('1', { guild })).rejects.toThrow(refusedAs('limit-reached'))
    }
    expect(await world.available('bob')).toBe(sats(6_000))
  })

  it('also applies to vouchers', async () => {
    await begin({ perDay: sats(1_000) })
    const voucher = (amount: string) =>
      world.run(world.tipping.vouchers.create({ member: 'alice', amount, origin: world.origin() }))
    await voucher('600')
    await expect(voucher('401')).rejects.toThrow(refusedAs('limit-reached', { left: sats(400) }))
    await expect(tip('401')).rejects.toThrow(refusedAs('limit-reached'))
    await tip('400')
  })

  it('applies to each prize of a giveaway, even that of a second draw', async () => {
    await begin({ perDay: sats(1_000) })
    const { giveaways } = world.tipping
    const of = { member: 'alice', moderator: false, guild: 'guild' }
    const { id: giveaway } = await giveaways.start({
      ...{ member: 'alice', prize: '400', winners: 1, duration: '1h', origin: world.origin() },
    })
    const entrant = { accountSince: new Date(0), roles: [] }
    for (const [index, member] of ['bob', 'carol', 'dave', 'erin'].entries()) {
      await giveaways.enter({ giveaway, member, entrant, interaction: `${1_000 + index}` })
    }
    await giveaways.end({ ...of, giveaway })
    await world.pass(60_000)
    for (let shown = 0; shown < 3; shown += 1) {
      for (const card of await world.tipping.cards.pending(100)) {
        await world.tipping.cards.shown(card, `message-${card.id}`)
      }
      await world.pass(60_000)
    }
    const again = () => world.run(giveaways.reroll({ ...of, giveaway, origin: world.origin() }))
    await again()
    await expect(again()).rejects.toThrow(refusedAs('limit-reached', { left: sats(200) }))
    await expect(tip('201')).rejects.toThrow(refusedAs('limit-reached', { left: sats(200) }))
    await tip('200')
  })

  it('is lower for a young account, for each kind of gift', async () => {
    await begin({ newAccountPerDay: sats(100), newAccountDays: 7 })
    const about = { member: 'alice', accountSince: new Date(world.clock.now() - DAY_MS) }
    const { drops, giveaways, vouchers } = world.tipping
    const gifts: ((amount: string) => Promise<unknown>)[] = [
      (amount) => tip(amount, about),
      (amount) => drops.open({ ...about, amount, shares: 1, origin: world.origin() }),
      (prize) => giveaways.start({ ...about, prize, winners: 1, duration: '1h', origin: world.origin() }),
      (amount) => vouchers.create({ ...about, amount, origin: world.origin() }),
    ]
    for (const give of gifts) {
      await expect(world.run(give('101'))).rejects.toThrow(refusedAs('limit-new-account', { cap: sats(100) }))
    }
    // All of them together have one allowance.
    for (const give of gifts) await world.run(give('25'))
    for (const give of gifts) {
      await expect(world.run(give('1'))).rejects.toThrow(refusedAs('limit-new-account', { left: 0n }))
    }
  })

  it('is the server’s own if the server sets one', async () => {
    await begin({ perDay: sats(1_000), coolDownSeconds: 5 })
    const change = { perDay: sats(50), newAccountPerDay: sats(10), newAccountDays: 3 }
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change })
    await world.restart()
    expect(world.tipping.preferences.ofServer('guild')).toMatchObject(change)
    await expect(tip('51')).rejects.toThrow(refusedAs('limit-reached', { cap: sats(50) }))
    const young = { accountSince: new Date(world.clock.now() - 2 * DAY_MS) }
    await expect(tip('11', young)).rejects.toThrow(refusedAs('limit-new-account', { cap: sats(10) }))
    await tip('50')
    await expect(tip('1')).rejects.toThrow(refusedAs('cooling-down'))
  })

  it('leaves nothing if the server lowers it below what was already given', async () => {
    await begin({ perDay: sats(1_000) })
    await tip('600')
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { perDay: sats(50) } })
    await expect(tip('1')).rejects.toThrow(refusedAs('limit-reached', { cap: sats(50), left: 0n }))
  })

  it('is enforced by the database itself', async () => {
    await begin({ perDay: sats(1_000) })
    await tip('600')
    const grab = world.database.write.usage.updateMany({ data: { used: 1_000_001n } })
    await expect(grab).rejects.toThrow()
  })
})

describe('the limits of one tip', () => {
  it('exclude amounts below the smallest or above the largest permitted tip', async () => {
    await begin({ smallestTip: sats(10), largestTip: sats(500) })
    await expect(tip('9')).rejects.toThrow(refusedAs('amount-too-small', { smallest: 10_000n }))
    await expect(tip('501')).rejects.toThrow(refusedAs('amount-too-large', { largest: 500_000n }))
    await tip('500')
  })

  it('exclude a tip during the cooldown, and show when the cooldown ends', async () => {
    await begin({ coolDownSeconds: 30 })
    await tip('10')
    const until = new Date(world.clock.now() + 30_000)
    await world.pass(10_000)
    await expect(tip('10')).rejects.toThrow(refusedAs('cooling-down', { until }))
    await world.pass(21_000)
    await tip('10')
    await expect(tip('10')).rejects.toThrow(refusedAs('cooling-down'))
  })

  it('apply the latest cooldown among all the giver’s accounts', async () => {
    await begin({ coolDownSeconds: 30 })
    await world.fund('mallory', 1_000)
    world.provider.user('shared')
    await link('mallory', 'shared')
    await tip('10', { from: 'mallory' })
    await unlink('mallory')
    await world.pass(10_000)
    await tip('10')
    const until = new Date(world.clock.now() + 30_000)
    await link('alice', 'shared')
    await expect(tip('10')).rejects.toThrow(refusedAs('cooling-down', { until }))
  })

  it('apply a cooldown that began while the clock was an hour ahead', async () => {
    await begin({ coolDownSeconds: 30 })
    await world.fund('mallory', 5_000)
    world.provider.user('shared')
    await link('mallory', 'shared')
    world.clock.jump(3_600_000)
    await tip('10', { from: 'mallory' })
    world.clock.jump(-3_600_000)
    await tip('10')
    await unlink('mallory')
    await link('alice', 'shared')
    await expect(tip('10')).rejects.toThrow(refusedAs('cooling-down'))
  })

  it('do not exist by default', async () => {
    await begin({})
    await tip('5000')
    await tip('5000')
    expect(await world.database.read.usage.count()).toBe(0)
  })
})

it('a server’s limits for one tip stay within the operator’s', async () => {
  const limits = { ...NO_LIMITS, smallestTip: sats(1), largestTip: sats(9_000) }
  world = await TippingWorld.open({ settings: { minAmount: sats(10), maxAmount: sats(500), limits } })
  await world.fund('alice', 500)
  await expect(tip('9')).rejects.toThrow(refusedAs('amount-too-small', { smallest: sats(10) }))
  await expect(tip('501')).rejects.toThrow(refusedAs('amount-too-large', { largest: sats(500) }))
  await tip('10')
})
