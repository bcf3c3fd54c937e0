import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ settings: { claimDays: 1 / 24 } })
})
const guild = 'guild'

async function filled(sum: number): Promise<void> {
  await world.fund('mod', sum)
  await world.tipping.pools.give({ guild, member: 'mod', amount: 'all', origin: world.origin() })
}

async function pool(): Promise<number> {
  return Number((await world.tipping.pools.view(guild)).available) / 1_000
}

async function reserved(): Promise<number> {
  return Number((await world.tipping.pools.view(guild)).reserved) / 1_000
}

function budget(role: string, amount: string, period: 'day' | 'week' | 'month' = 'day') {
  return world.tipping.pools.budget({ guild, member: 'owner', role, amount, period })
}

function reward(amount: string, more: { to?: string; reason?: string; member?: string; interaction?: string } = {}) {
  const { to = 'bob', reason = 'Fixed the heating', member = 'mod', interaction } = more
  return world.tipping.rewards.give({
    guild,
    member,
    roles: ['mods'],
    to: { id: to, bot: false },
    amount,
    reason,
    origin: world.origin(interaction),
  })
}

describe('a pool', () => {
  it('is filled by a charge that is paid once, read at the provider, and credited', async () => {
    const charge = await world.tipping.pools.fund({ guild, member: 'mod', amount: '700', origin: world.origin() })
    const { id, callbackUrl } = world.provider.chargeOf(charge.request)
    world.provider.payCharge(id)
    await world.tipping.hint(world.token(callbackUrl))
    await world.settle()
    expect(await pool()).toBe(700)
    expect((await world.tipping.pools.fundraiser(charge.id)).state).toBe('reached')
  })

  it('is filled from a balance, once for each command', async () => {
    await world.fund('mod', 500)
    const origin = world.origin()
    for (const _ of [1, 2]) await world.tipping.pools.give({ guild, member: 'mod', amount: '200', origin })
    expect(await pool()).toBe(200)
    await expect(
      world.tipping.pools.give({ guild, member: 'mod', amount: '301', origin: world.origin() }),
    ).rejects.toMatchObject({ code: 'insufficient-funds', facts: { missing: sats(1) } })
  })

  it('shows its history with its balance after each move', async () => {
    await filled(1_000)
    await budget('mods', '1000')
    await world.tipping.balances.view('bob')
    await reward('300')
    const lines = await world.tipping.pools.export({ guild, member: 'mod' })
    expect(lines).toMatchObject([
      { what: 'gift', amount: sats(1_000), balance: sats(1_000), member: 'mod' },
      { what: 'reward', amount: -sats(300), balance: sats(700), recipient: 'bob', reason: 'Fixed the heating' },
    ])
  })
})

describe('a fundraiser', () => {
  it('counts payments and gifts, ends at its goal, and then refuses gifts', async () => {
    const { id, request } = await world.tipping.pools.fundraise({
      ...{ guild, member: 'mod', amount: '100', goal: '250' },
      origin: world.origin(),
    })
    const charge = world.provider.chargeOf(request)
    const paid = async () => {
      world.provider.payCharge(charge.id)
      await world.tipping.hint(world.token(charge.callbackUrl))
      await world.settle()
    }
    await paid()
    await world.fund('alice', 150)
    const origin = world.origin()
    for (const _ of [1, 2]) await world.tipping.pools.giveTo({ fundraiser: id, member: 'alice', origin })
    expect(await world.tipping.pools.fundraiser(id)).toMatchObject({ state: 'open', raised: sats(200), payments: 2 })
    await paid()
    expect(await world.tipping.pools.fundraiser(id)).toMatchObject({ state: 'reached', raised: sats(300) })
    await expect(
      world.tipping.pools.giveTo({ fundraiser: id, member: 'alice', origin: world.origin() }),
    ).rejects.toMatchObject({ code: 'fundraiser-over' })
    expect(await pool()).toBe(300)
    expect(await world.available('alice')).toBe(sats(50))
  })

  it('is abandoned if the database was unusable while it was created', async () => {
    const before = () => {
      world.failCommits = 3
    }
    world.provider.misbehave('createStaticCharge', { before })
    const asked = { guild, member: 'mod', amount: '100', goal: '250', origin: world.origin() }
    const refused = expect(world.tipping.pools.fundraise(asked)).rejects.toMatchObject({ code: 'provider-unreachable' })
    await world.pass(60_000)
    await refused
    const states = (await world.database.read.fundraiser.findMany()).map(({ state }) => state)
    expect(states).toEqual(['failed'])
  })

  it('refuses gifts from balances once it is closed', async () => {
    await world.fund('alice', 100)
    const { id } = await world.tipping.pools.fundraise({
      ...{ guild, member: 'mod', amount: '10', goal: '100' },
      origin: world.origin(),
    })
    await world.tipping.pools.closeFundraiser({ fundraiser: id, member: 'mod' })
    await expect(
      world.tipping.pools.giveTo({ fundraiser: id, member: 'alice', origin: world.origin() }),
    ).rejects.toMatchObject({ code: 'fundraiser-over' })
    await world.settle()
    expect(await pool()).toBe(0)
  })
})

describe('a fundraiser that closes at the moment of a gift', () => {
  it('takes no sats from the giver', async () => {
    await world.close()
    world = await TippingWorld.open({ wallet: 1_000_000n, besideOthers: true })
    await world.fund('alice', 100)
    const { pools } = world.tipping
    const another = (await world.start()).pools
    const { id } = await pools.fundraise({ guild, member: 'mod', amount: '10', goal: '100', origin: world.origin() })
    // So that the next commit is the gift's.
    await world.settle()
    world.beforeNextCommit = () => another.closeFundraiser({ fundraiser: id, member: 'mod' })
    await expect(pools.giveTo({ fundraiser: id, member: 'alice', origin: world.origin() })).rejects.toMatchObject({
      code: 'fundraiser-over',
    })
    expect([await pool(), await world.available('alice')]).toEqual([0, sats(100)])
    expect(await pools.fundraiser(id)).toMatchObject({ state: 'closed', raised: 0n, payments: 0 })
  })
})

describe('a reward', () => {
  beforeEach(async () => {
    await filled(1_000)
    await world.tipping.balances.view('bob')
  })

  it('needs a budget, a reason, and a recipient other than its giver', async () => {
    await expect(reward('10')).rejects.toMatchObject({ code: 'budget-none' })
    await budget('mods', '100')
    await expect(reward('10', { reason: '  ' })).rejects.toMatchObject({ code: 'reason-missing' })
    await expect(reward('10', { to: 'mod' })).rejects.toMatchObject({ code: 'reward-to-self' })
    expect(await pool()).toBe(1_000)
  })

  it('is paid once, from a budget that is full again in the next period', async () => {
    await budget('mods', '100')
    await reward('60', { interaction: 'same' })
    await reward('60', { interaction: 'same' })
    expect(await world.available('bob')).toBe(sats(60))
    await expect(reward('41')).rejects.toMatchObject({ code: 'budget-exhausted', facts: { left: sats(40) } })
    await reward('40')
    await reward('100', { member: 'other-mod' })
    await world.pass(24 * 3_600_000)
    await reward('100')
    expect(await pool()).toBe(700)
  })

  it('never exceeds its budget, even if 20 are given at the same moment', async () => {
    await budget('mods', '100')
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => reward('30')))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await pool()).toBe(910)
  })

  it('is refused if it exceeds the pool’s balance', async () => {
    await budget('mods', '5000')
    await expect(reward('1001')).rejects.toMatchObject({
      code: 'pool-insufficient',
      facts: { balance: sats(1_000), needed: sats(1_001) },
    })
    await reward('1000')
  })

  it('waits for a newcomer, and returns to the pool if it is not claimed', async () => {
    await budget('mods', '500')
    await reward('100', { to: 'carol' })
    expect([await pool(), await reserved()]).toEqual([900, 100])
    expect((await world.tipping.balances.view('mod')).waitingForOthers).toBe(0n)
    await world.pass(2 * 3_600_000)
    expect([await pool(), await reserved()]).toEqual([1_000, 0])
    await reward('100', { to: 'dave' })
    await world.tipping.claims.take({ member: 'dave', origin: world.origin() })
    expect(await world.available('dave')).toBe(sats(100))
    expect([await pool(), await reserved()]).toEqual([900, 0])
  })

  it('is forwarded to a linked member’s gamertag', async () => {
    await budget('mods', '500')
    const user = await world.linked('bob')
    const { id } = await world.run(reward('100'))
    await world.settle()
    expect(world.received(user)).toBe(sats(100))
    expect((await world.tipping.rewards.view(id)).share?.state).toBe('paid')
  })
})

describe('a reward above the approval limit', () => {
  beforeEach(async () => {
    await filled(1_000)
    await budget('mods', '500')
    await world.tipping.balances.view('bob')
    await world.tipping.preferences.changeServer({
      guild,
      member: 'owner',
      change: { approvalAbove: sats(50) },
    })
  })

  it('waits for a moderator who is neither its giver nor its recipient', async () => {
    await reward('50')
    const { id, state } = await reward('51')
    expect(state).toBe('asked')
    expect([await pool(), await reserved(), await world.available('bob')]).toEqual([899, 51, sats(50)])
    for (const member of ['mod', 'bob']) {
      await expect(world.tipping.rewards.approve({ reward: id, member })).rejects.toMatchObject({
        code: 'reward-needs-another',
      })
    }
    await world.restart()
    await world.tipping.rewards.approve({ reward: id, member: 'second' })
    await world.tipping.rewards.approve({ reward: id, member: 'second' })
    await expect(world.tipping.rewards.deny({ reward: id, member: 'third' })).rejects.toMatchObject({
      code: 'reward-decided',
    })
    expect([await pool(), await reserved(), await world.available('bob')]).toEqual([899, 0, sats(101)])
  })

  it('returns its sum to the pool and the budget when it is denied', async () => {
    const { id } = await reward('500')
    await expect(reward('1')).rejects.toMatchObject({ code: 'budget-exhausted' })
    await world.tipping.rewards.deny({ reward: id, member: 'mod' })
    expect([await pool(), await reserved()]).toEqual([1_000, 0])
    const again = await reward('500')
    expect(again.state).toBe('asked')
  })

  it('is decided once, by the first of three moderators', async () => {
    const { id } = await reward('100')
    const decided = await Promise.allSettled([
      world.tipping.rewards.approve({ reward: id, member: 'second' }),
      world.tipping.rewards.deny({ reward: id, member: 'third' }),
      world.tipping.rewards.approve({ reward: id, member: 'fourth' }),
    ])
    expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await pool()) + Number(await world.available('bob')) / 1_000).toBe(1_000)
  })

  it('waits for its recipient, if this is a newcomer, after it is approved', async () => {
    const { id } = await reward('100', { to: 'carol' })
    await world.tipping.rewards.approve({ reward: id, member: 'second' })
    expect([await pool(), await reserved()]).toEqual([900, 100])
    const lines = await world.tipping.pools.history(guild, new Date(0))
    expect(lines.slice(0, 3).map(({ what, amount }) => [what, amount])).toEqual([
      ['asked', -sats(100)],
      ['approved', sats(100)],
      ['asked', -sats(100)],
    ])
    await world.tipping.claims.take({ member: 'carol', origin: world.origin() })
    expect(await world.available('carol')).toBe(sats(100))
  })

  it('is logged with its giver and its approver, and its record cannot be changed', async () => {
    const { id } = await reward('100')
    await world.tipping.rewards.approve({ reward: id, member: 'second' })
    const entries = await world.database.read.moderationLogEntry.findMany({
      where: { action: { in: ['reward-asked', 'approve'] } },
    })
    expect(entries.map(({ action, member }) => [action, member])).toEqual([
      ['reward-asked', 'mod'],
      ['approve', 'second'],
    ])
    await expect(world.database.write.reward.update({ where: { id }, data: { decider: 'mod' } })).rejects.toThrow()
  })
})
