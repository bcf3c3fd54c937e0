import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import type { AwaitedReward } from '../../../src/tipping/tipping.ts'
import { TippingWorld } from '../world.ts'

const guild = 'guild'
const DAY_MS = 24 * 3_600_000
let world: TippingWorld

/** Opens a world whose pool has 1,000 sats; moderators have 600 a day, and over 100 need a second moderator. */
beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('giver', 1_000)
  await world.tipping.pools.give({ guild, member: 'giver', amount: 'all', origin: world.origin() })
  await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '600', period: 'day' })
  await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { approvalAbove: sats(100) } })
  for (const member of ['bob', 'carol']) await world.tipping.balances.view(member)
})
interface Asked {
  readonly from?: string
  readonly roles?: readonly string[]
  readonly reason?: string
  readonly interaction?: string
}

const person = (id: string) => ({ id, bot: false })
const paidBy = ({ roles = ['mods'], reason = 'for the party', interaction }: Asked) => ({
  pool: { guild, roles, reason },
  origin: world.origin(interaction),
})

/** The gifts by a moderator, each of which gives this many sats in total from the pool. */
const GIFTS = {
  tip: (amount: number, asked: Asked = {}) =>
    world.tipping.tips.sendFromPool({
      ...{ from: asked.from ?? 'mod', to: [person('bob'), person('carol')], amount: String(amount), split: true },
      ...paidBy(asked),
    }),
  rain: async (amount: number, asked: Asked = {}) => {
    for (const member of ['bob', 'carol']) world.tipping.rain.heard(guild, member)
    const about = { guild, amount: String(amount), activeWithinMinutes: 30, ...paidBy(asked) }
    return await world.tipping.rain.fallFromPool({ from: asked.from ?? 'mod', ...about })
  },
  drop: (amount: number, asked: Asked = {}) =>
    world.tipping.drops.openFromPool({
      ...{ member: asked.from ?? 'mod', amount: String(amount), shares: 2, minutes: 60, ...paidBy(asked) },
    }),
  giveaway: (amount: number, asked: Asked = {}) =>
    world.tipping.giveaways.startFromPool({
      ...{ member: asked.from ?? 'mod', prize: String(amount / 2), winners: 2, duration: '1h', ...paidBy(asked) },
    }),
  /** Creates a voucher; its fee of one percent is part of the amount. */
  voucher: (amount: number, asked: Asked = {}) =>
    world.tipping.vouchers.createFromPool({
      ...{ member: asked.from ?? 'mod', amount: String(amount - Math.ceil(amount / 101)), ...paidBy(asked) },
    }),
  /** Creates a batch of two codes. */
  vouchers: (amount: number, asked: Asked = {}) =>
    world.tipping.voucherBatches.createFromPool({
      ...{ member: asked.from ?? 'mod', count: 2, ...paidBy(asked) },
      amount: String(amount / 2 - Math.ceil(amount / 2 / 101)),
    }),
} as const
const KINDS = Object.keys(GIFTS) as (keyof typeof GIFTS)[]

const available = async () => (await world.tipping.pools.view(guild)).available
const reserved = async () => (await world.tipping.pools.view(guild)).reserved
/** Returns what has left the pool for good: neither set aside, nor returned as the rest of a voucher's fee. */
const given = async () => {
  // The codes of a batch are made one after the other, also those that a bot which died has left.
  if ((await world.database.read.voucherBatch.count()) > 0) await world.pass(20_000)
  const made = await world.database.read.voucher.findMany({ where: { state: 'live' } })
  const rests = made.reduce((sum, { feeLimit, fee }) => sum + feeLimit - (fee ?? 0n), 0n)
  return sats(1_000) - (await available()) - (await reserved()) + rests
}
const awaited = (given: object): AwaitedReward => {
  if (!('reward' in given)) throw new Error('it did not wait')
  return given as AwaitedReward
}
const approve = (reward: string, member = 'second') => world.run(world.tipping.rewards.approve({ reward, member }))
const deny = (reward: string, member = 'second') => world.run(world.tipping.rewards.deny({ reward, member }))
const log = async () => {
  const rows = await world.database.read.moderationLogEntry.findMany({ where: { member: { in: ['mod', 'second'] } } })
  return rows.map(({ member, action, about }) => ({ member, action, ...JSON.parse(about) }))
}

describe.each(KINDS)('a %s from the pool', (kind) => {
  const give = (amount: number, asked?: Asked) => world.run<object>(GIFTS[kind](amount, asked))

  it('is taken once from the pool and the budget, and is logged with its reason', async () => {
    const [one, other] = [await give(100, { interaction: 'again' }), await give(100, { interaction: 'again' })]
    expect('reward' in one).toBe(false)
    expect((other as { card: string }).card).toBe((one as { card: string }).card)
    expect([await given(), await reserved()]).toEqual([sats(100), 0n])
    expect(await world.available('mod')).toBe(0n)
    expect(await log()).toMatchObject([
      { member: 'mod', action: 'reward', kind, amount: '100000', reason: 'for the party' },
    ])
    const usage = await world.database.read.usage.findFirst({ where: { key: { contains: 'mods' } } })
    expect(usage?.used).toBe(sats(100))
    const [line] = await world.tipping.pools.history(guild, new Date(0))
    expect(line).toMatchObject({ member: 'mod', reason: 'for the party' })
  })

  it('is refused without a reason, or without enough left in the budget and the pool', async () => {
    await expect(give(100, { reason: ' ' })).rejects.toMatchObject({ code: 'reason-missing' })
    await expect(give(100, { roles: ['cooks'] })).rejects.toMatchObject({ code: 'budget-none' })
    await expect(give(602)).rejects.toMatchObject({ code: 'budget-exhausted' })
    await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '5000', period: 'day' })
    await expect(give(1_002)).rejects.toMatchObject({ code: 'pool-insufficient' })
    expect([await available(), await reserved()]).toEqual([sats(1_000), 0n])
  })

  it('waits for approval if it is above the limit, and is then given only once', async () => {
    const { reward, card } = awaited(await give(200))
    expect([await available(), await reserved()]).toEqual([sats(800), sats(200)])
    expect(await world.tipping.cards.get(card)).toMatchObject({ kind: 'reward', record: reward })
    await expect(approve(reward, 'mod')).rejects.toMatchObject({ code: 'reward-needs-another' })
    expect(await approve(reward)).toMatchObject({ state: 'paid', decider: 'second', kind })
    expect(await approve(reward)).toMatchObject({ state: 'paid' })
    await expect(deny(reward, 'third')).rejects.toMatchObject({ code: 'reward-decided' })
    expect(await given()).toBe(sats(200))
    expect((await log()).map(({ action }) => action)).toEqual(['reward-asked', 'approve'])
    const told = await world.tipping.pools.history(guild, new Date(0))
    // The rest of a voucher's fee is returned.
    const whats = told.map(({ what }) => what).filter((what) => what !== 'returned')
    expect(new Set(whats)).toEqual(new Set([kind, 'approved', 'asked', 'gift']))
  })

  it('is given once even if two moderators approve it at the same moment', async () => {
    const { reward } = awaited(await give(200, { interaction: 'again' }))
    expect(awaited(await give(200, { interaction: 'again' })).reward).toBe(reward)
    const pressed = await Promise.allSettled([approve(reward, 'second'), approve(reward, 'third')])
    expect(pressed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await given()).toBe(sats(200))
    const approvals = await world.database.read.moderationLogEntry.findMany({ where: { action: 'approve' } })
    expect(approvals).toHaveLength(1)
  })

  it('returns its sats to the pool and the budget when it is denied', async () => {
    const { reward } = awaited(await give(200))
    expect(await deny(reward)).toMatchObject({ state: 'denied' })
    expect([await available(), await reserved()]).toEqual([sats(1_000), 0n])
    await expect(approve(reward, 'third')).rejects.toMatchObject({ code: 'reward-decided' })
    awaited(await give(600))
  })

  it('is given at most once if the bot dies right after the approval', async () => {
    const { reward } = awaited(await give(200))
    const died = world.dieAtCommit(1, 'after')
    void world.tipping.rewards.approve({ reward, member: 'second' }).catch(() => undefined)
    await world.run(died)
    await world.reborn()
    expect(await approve(reward)).toMatchObject({ state: 'paid', decider: 'second' })
    // A code that nobody began to make comes back, as all else that was reserved and never sent.
    expect(await given()).toBe(kind === 'voucher' ? 0n : sats(200))
  })

  it('counts towards the approval limit together with the day’s other gifts', async () => {
    await give(60)
    const to = person('dave')
    const about = { guild, member: 'mod', roles: ['mods'], to, amount: '50', reason: 'more', origin: world.origin() }
    expect((await world.run(world.tipping.rewards.give(about))).state).toBe('asked')
    awaited(await give(42))
    expect('reward' in (await give(40))).toBe(false)
    await world.clock.advance(DAY_MS + 1)
    expect('reward' in (await give(60))).toBe(false)
  })
})

describe('the sats that one person gets from the pool in a day', () => {
  it('are summed over all moderators and kinds of gift, with a limit for each person', async () => {
    await world.run(GIFTS.tip(100, { from: 'mod1' }))
    const about = (member: string, id: string) =>
      world.run(
        world.tipping.rewards.give({
          ...{ guild, member, roles: ['mods'], to: person(id), amount: '60', reason: 'more', origin: world.origin() },
        }),
      )
    expect((await about('mod2', 'bob')).state).toBe('asked')
    expect((await about('mod3', 'dave')).state).toBe('paid')
  })

  it('cannot be approved by that person, even if the gift has other recipients too', async () => {
    const { reward } = awaited(await world.run(GIFTS.tip(200)))
    await expect(approve(reward, 'carol')).rejects.toMatchObject({ code: 'reward-needs-another' })
  })
})

describe('unclaimed sats return to the pool', () => {
  const idOf = (given: object) => (given as { id: string }).id

  it.each([
    ['closed by its moderator', 'mod'],
    ['closed by another moderator', 'second'],
  ])('from a drop that is %s', async (_what, member) => {
    const drop = idOf(await world.run(GIFTS.drop(100)))
    const claimant = { id: 'bob', accountSince: new Date(0), memberSince: new Date(0), roles: [] }
    await world.run(world.tipping.drops.claim({ drop, claimant, origin: world.origin() }))
    const closed = await world.tipping.drops.close({ drop, member, moderator: true, origin: world.origin() })
    expect([closed.returned, await available(), await world.available('mod')]).toEqual([sats(50), sats(950), 0n])
  })

  it('from a drop whose time is over', async () => {
    await world.run(GIFTS.drop(100))
    await world.pass(60 * 60_000)
    expect(await available()).toBe(sats(1_000))
  })

  it('from a giveaway that is cancelled or has too few entrants', async () => {
    const [one, other] = [idOf(await world.run(GIFTS.giveaway(40))), idOf(await world.run(GIFTS.giveaway(60)))]
    const decision = { member: 'mod', moderator: true, guild }
    await world.tipping.giveaways.cancel({ giveaway: one, ...decision })
    expect(await available()).toBe(sats(940))
    const entrant = { accountSince: new Date(0), roles: [] }
    await world.tipping.giveaways.enter({ giveaway: other, member: 'bob', entrant, interaction: 'entry' })
    await world.pass(2 * 60 * 60_000)
    expect([await available(), await world.available('bob')]).toEqual([sats(970), sats(30)])
  })

  it('from a tip that a newcomer never claims', async () => {
    const tip = { from: 'mod', to: [person('newcomer')], amount: '80', ...paidBy({}) }
    await world.run(world.tipping.tips.sendFromPool(tip))
    expect([await available(), await reserved()]).toEqual([sats(920), sats(80)])
    await world.leap(31 * DAY_MS)
    expect([await available(), await reserved()]).toEqual([sats(1_000), 0n])
  })

  it('from a revoked voucher, with the unused part of its fee limit', async () => {
    const voucher = idOf(await world.run(GIFTS.voucher(100)))
    await world.run(world.tipping.vouchers.revoke({ member: 'mod', voucher, origin: world.origin() }))
    await world.settle()
    const { fee } = await world.tipping.vouchers.view(voucher)
    expect([await available(), await world.available('mod')]).toEqual([sats(1_000) - fee, 0n])
  })

  it('from a voucher that cannot be made', async () => {
    world.provider.misbehave('createVoucher', { refuse: 400, message: 'no' })
    await world.run(GIFTS.voucher(100))
    expect([await available(), await reserved()]).toEqual([sats(1_000), 0n])
  })

  it('from the codes of a drop that its moderator closes', async () => {
    const command = { member: 'mod', amount: '60', shares: 2, minutes: 60, codes: true, ...paidBy({}) }
    const drop = idOf(await world.run(world.tipping.drops.openFromPool(command)))
    await world.settle()
    await world.tipping.drops.close({ drop, member: 'mod', moderator: true, origin: world.origin() })
    await world.pass(60_000)
    const vouchers = await world.database.read.voucher.findMany({ where: { dropId: drop } })
    const fees = vouchers.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n)
    expect([await available(), await reserved()]).toEqual([sats(1_000) - fees, 0n])
  })
})

describe('the moderation log shows the sats that return to the pool', () => {
  const idOf = (given: object) => (given as { id: string }).id
  const returns = async () => {
    const changes = await world.tipping.insights.changes(guild, 100)
    return changes
      .filter(({ action }) => action === 'pool-return')
      .map(({ member, amount, gift, reason }) => ({ member, amount, gift, reason }))
  }
  const line = (gift: string, amount: number, member?: string) => ({
    member,
    amount: sats(amount),
    gift,
    reason: 'for the party',
  })

  it('from a giveaway, with the moderator if one cancelled it', async () => {
    for (const member of ['mod', 'second']) {
      const giveaway = idOf(await world.run(GIFTS.giveaway(40)))
      const cancel = () => world.tipping.giveaways.cancel({ guild, giveaway, member, moderator: true })
      await Promise.all([cancel(), cancel()])
      await cancel()
    }
    await world.run(GIFTS.giveaway(20))
    await world.pass(2 * 60 * 60_000)
    expect(await returns()).toEqual([line('giveaway', 20), line('giveaway', 40, 'second'), line('giveaway', 40, 'mod')])
  })

  it('from a giveaway whose prizes nobody claimed', async () => {
    const giveaway = idOf(
      await world.run(
        world.tipping.giveaways.startFromPool({
          ...{ member: 'mod', prize: '30', winners: 1, duration: '1h', claimTime: '10m', ...paidBy({}) },
        }),
      ),
    )
    const entrant = { accountSince: new Date(0), roles: [] }
    await world.tipping.giveaways.enter({ giveaway, member: 'bob', entrant, interaction: 'entry' })
    await world.pass(2 * 60 * 60_000)
    expect(await returns()).toEqual([line('giveaway', 30)])
  })

  it('from a drop, with the moderator if one closed it', async () => {
    for (const member of ['mod', 'second']) {
      const drop = idOf(await world.run(GIFTS.drop(40)))
      await world.tipping.drops.close({ drop, member, moderator: true, origin: world.origin() })
    }
    await world.run(GIFTS.drop(20))
    await world.pass(60 * 60_000)
    expect(await returns()).toEqual([line('drop', 20), line('drop', 40, 'second'), line('drop', 40, 'mod')])
  })

  it('from a voucher that is revoked, or cannot be made', async () => {
    const voucher = idOf(await world.run(GIFTS.voucher(40)))
    const revoke = () => world.run(world.tipping.vouchers.revoke({ member: 'mod', voucher, origin: world.origin() }))
    await revoke()
    await revoke().catch(() => undefined)
    world.provider.misbehave('createVoucher', { refuse: 400, message: 'no' })
    await world.run(GIFTS.voucher(40))
    await world.settle()
    expect(await returns()).toEqual([line('voucher', 40), line('voucher', 39, 'mod')])
  })

  it('from a batch, in one entry, when its moderator ends it or its time is over', async () => {
    await world.run(GIFTS.vouchers(40))
    await world.pass(20_000)
    const { id: batch } = await world.database.read.voucherBatch.findFirstOrThrow()
    await world.tipping.voucherBatches.end({ batch, member: 'mod' })
    await world.tipping.voucherBatches.end({ batch, member: 'mod' })
    await world.pass(60_000)
    const command = { member: 'mod', amount: '9', count: 2, days: 1, ...paidBy({}) }
    await world.run(world.tipping.voucherBatches.createFromPool(command))
    await world.pass(20_000)
    await world.leap(DAY_MS + 60_000)
    await world.pass(60_000)
    expect(await returns()).toEqual([line('vouchers', 18), line('vouchers', 38, 'mod')])
  })

  it('from a batch whose codes the provider refuses, in one entry', async () => {
    const no = { refuse: 400, message: 'no' } as const
    world.provider.misbehave('createVoucher', no, no)
    await world.run(GIFTS.vouchers(40))
    await world.pass(20_000)
    expect(await returns()).toEqual([line('vouchers', 40)])
  })

  it('from the unclaimed codes of a drop', async () => {
    const command = { member: 'mod', amount: '60', shares: 2, minutes: 60, codes: true, ...paidBy({}) }
    const drop = idOf(await world.run(world.tipping.drops.openFromPool(command)))
    await world.settle()
    await world.tipping.drops.close({ drop, member: 'second', moderator: true, origin: world.origin() })
    await world.pass(60_000)
    const [returned, ...others] = await returns()
    expect(others).toEqual([])
    expect(returned).toMatchObject({ gift: 'drop', member: 'second', reason: 'for the party' })
  })

  it('from tips, rain and rewards that newcomers never claim', async () => {
    const to = ['one', 'two'].map(person)
    await world.run(world.tipping.tips.sendFromPool({ from: 'mod', to, amount: '20', ...paidBy({}) }))
    const about = { guild, member: 'mod', roles: ['mods'], to: person('three'), amount: '30', reason: 'for the party' }
    await world.run(world.tipping.rewards.give({ ...about, origin: world.origin() }))
    await world.leap(31 * DAY_MS)
    expect((await returns()).toSorted((one, other) => Number((other.amount ?? 0n) - (one.amount ?? 0n)))).toEqual([
      line('tip', 40),
      line('reward', 30),
    ])
  })

  it('only once even if the bot dies while it returns them', async () => {
    for (const moment of ['before', 'after'] as const) {
      const giveaway = idOf(await world.run(GIFTS.giveaway(40)))
      const cancel = () => world.tipping.giveaways.cancel({ guild, giveaway, member: 'mod', moderator: true })
      const died = world.dieAtCommit(1, moment)
      void cancel().catch(() => undefined)
      await world.run(died)
      await world.reborn()
      await cancel()
    }
    expect(await returns()).toEqual([line('giveaway', 40, 'mod'), line('giveaway', 40, 'mod')])
  })

  it('but not the unclaimed sats of a gift that came from a balance', async () => {
    await world.fund('alice', 100)
    const command = { member: 'alice', amount: '40', shares: 2, minutes: 60, origin: world.origin() }
    await world.run(world.tipping.drops.open(command))
    await world.pass(60 * 60_000)
    expect(await returns()).toEqual([])
  })
})

describe('a moderator who gives from the pool', () => {
  it('cannot tip themselves or a bot, or create a voucher for themselves', async () => {
    const tip = (id: string, bot: boolean) =>
      world.tipping.tips.sendFromPool({ from: 'mod', to: [{ id, bot }], amount: '10', ...paidBy({}) })
    await expect(tip('mod', false)).rejects.toMatchObject({ code: 'tip-to-self' })
    await expect(tip('robot', true)).rejects.toMatchObject({ code: 'tip-to-bot' })
    const voucher = { member: 'mod', amount: '10', recipient: person('mod'), ...paidBy({}) }
    await expect(world.tipping.vouchers.createFromPool(voucher)).rejects.toMatchObject({ code: 'reward-to-self' })
  })

  it('must enter an amount, since “all” of a pool is refused', async () => {
    const tip = { from: 'mod', to: [person('bob')], amount: 'all', ...paidBy({}) }
    await expect(world.tipping.tips.sendFromPool(tip)).rejects.toMatchObject({ code: 'amount-of-nothing' })
  })
})
