import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { MAX_REWARD_REASON } from '../../../src/tipping/rewards/rewards.ts'
import { hostAddress } from '../withdrawals/outside.ts'
import { TippingWorld } from '../world.ts'

const guild = 'guild'
let world: TippingWorld

/**
 * Opens a world in which the pool has 1,000 sats, moderators have 500 a day, bob uses the bot, and more than 100 sats
 * need a second moderator.
 */
beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('giver', 1_000)
  await world.tipping.pools.give({ guild, member: 'giver', amount: 'all', origin: world.origin() })
  await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '500', period: 'day' })
  await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { approvalAbove: sats(100) } })
  await world.tipping.balances.view('bob')
})
interface More {
  readonly to?: string
  readonly bot?: boolean
  readonly reason?: string
  readonly interaction?: string
}

function reward(amount: string, { to = 'bob', bot = false, reason = 'heating', interaction }: More = {}) {
  const whom = { to: { id: to, bot }, roles: ['mods'] }
  const origin = world.origin(interaction)
  return world.run(world.tipping.rewards.give({ ...whom, guild, member: 'mod', amount, reason, origin }))
}

const rewards = {
  approve: (id: string, member = 'second') => world.run(world.tipping.rewards.approve({ reward: id, member })),
  deny: (id: string, member = 'second') => world.run(world.tipping.rewards.deny({ reward: id, member })),
  view: (id: string) => world.tipping.rewards.view(id),
}

const cardOf = (card: string) => world.tipping.cards.get(card)
const stepsOf = async (operation: string) =>
  (await world.database.read.entry.findMany({ where: { operation }, orderBy: { id: 'asc' } })).map(({ step }) => step)
const log = async () => {
  const rows = await world.database.read.moderationLogEntry.findMany({ where: { member: { in: ['mod', 'second'] } } })
  return rows.map(({ guild, member, action, about }) => ({ guild, member, action, ...JSON.parse(about) }))
}

describe('a reward', () => {
  it('appears in the channel, the wallet and the log, and in a receipt if requested', async () => {
    await world.tipping.preferences.change({ member: 'bob', change: { receipts: true } })
    await world.linked('bob')
    const { id, card } = await reward('100')
    await world.settle()
    expect(await rewards.view(id)).toMatchObject({
      ...{ id, guild, requester: 'mod', recipient: 'bob', reason: 'heating', amount: sats(100), state: 'paid' },
      decider: undefined,
    })
    expect(await cardOf(card)).toMatchObject({ kind: 'reward', record: id, audience: { channel: 'channel' } })
    const cards = await world.tipping.cards.pending(20)
    const receipt = { kind: 'receipt', record: id, audience: { member: 'bob' } }
    expect(cards.filter(({ kind }) => kind === 'receipt')).toMatchObject([receipt])
    const [sent] = world.provider.calls.filter(({ operation }) => operation === 'payToGamertag')
    expect(sent?.body.description).toBe('Reward: heating')
    expect(await stepsOf(id)).toEqual(['post'])
    const about = { reward: id, to: 'bob', amount: '100000', reason: 'heating' }
    expect(await log()).toEqual([{ guild, member: 'mod', action: 'reward', ...about }])
  })

  it.each<[string, string, More, object]>([
    ['for a bot', '10', { bot: true }, { code: 'tip-to-bot' }],
    ['for less than 1 sat', '0.001', {}, { code: 'amount-too-small' }],
    ['for more than the largest amount', '99999999999', {}, { code: 'amount-too-large' }],
    [
      'given with too long a reason',
      '10',
      { reason: 'x'.repeat(MAX_REWARD_REASON + 1) },
      { code: 'text-too-long', facts: { what: 'reason', most: MAX_REWARD_REASON } },
    ],
  ])('is refused if it is %s', async (_what, amount, more, refusal) => {
    await expect(reward(amount, more)).rejects.toMatchObject(refusal)
    expect((await world.tipping.pools.view(guild)).available).toBe(sats(1_000))
  })

  it('can have a reason of the maximum length', async () => {
    const reason = 'x'.repeat(MAX_REWARD_REASON)
    expect(await reward('10', { reason })).toMatchObject({ reason })
  })

  it('is refused if its interaction is repeated with different content', async () => {
    const { id } = await reward('10', { interaction: 'same' })
    expect((await reward('10', { interaction: 'same' })).id).toBe(id)
    for (const other of [
      () => reward('11', { interaction: 'same' }),
      () => reward('10', { interaction: 'same', to: 'eve' }),
    ])
      await expect(other()).rejects.toMatchObject({ code: 'already-done' })
    expect(await world.available('bob')).toBe(sats(10))
  })

  it('can be neither viewed nor decided if it does not exist', async () => {
    for (const attempt of [rewards.view, rewards.approve, rewards.deny])
      await expect(attempt('none')).rejects.toMatchObject({ code: 'not-there' })
  })
})

describe('a reward that waits for approval', () => {
  it('is decided independently of others, and only once if a button is pressed twice', async () => {
    const [one, other] = [await reward('150'), await reward('160')]
    expect([one.state, await stepsOf(one.id)]).toEqual(['asked', ['reserve']])
    const before = (await cardOf(one.card))?.revision ?? 0
    expect(await rewards.deny(one.id)).toMatchObject({ state: 'denied', decider: 'second' })
    expect(await rewards.deny(one.id)).toMatchObject({ state: 'denied', decider: 'second' })
    expect((await rewards.view(other.id)).state).toBe('asked')
    expect([await stepsOf(one.id), (await cardOf(one.card))?.revision]).toEqual([['reserve', 'void'], before + 1])
    expect(await rewards.approve(other.id)).toMatchObject({ state: 'paid', decider: 'second' })
    expect(await stepsOf(other.id)).toEqual(['reserve', 'post'])
    const [first, second] = [
      { reward: one.id, to: 'bob', amount: '150000' },
      { reward: other.id, to: 'bob', amount: '160000' },
    ]
    expect(await log()).toEqual([
      { guild, member: 'mod', action: 'reward-asked', ...first, reason: 'heating' },
      { guild, member: 'mod', action: 'reward-asked', ...second, reason: 'heating' },
      { guild, member: 'second', action: 'deny', ...first },
      { guild, member: 'second', action: 'approve', ...second },
    ])
  })

  it.each(['bob', 'newcomer'])('is decided by only one of two simultaneous presses (recipient: %s)', async (to) => {
    const { id } = await reward('150', { to })
    const pressed = await Promise.allSettled([rewards.approve(id, 'second'), rewards.approve(id, 'third')])
    const refused = pressed.flatMap((press) => (press.status === 'rejected' ? [press.reason.code] : []))
    expect(refused).toEqual(['reward-decided'])
    const decisions = await world.database.read.moderationLogEntry.findMany({ where: { action: 'approve' } })
    expect(decisions).toHaveLength(1)
  })
})

describe('a reward is forwarded', () => {
  it('to its recipient’s linked account, once it is approved', async () => {
    const bob = await world.linked('bob')
    const { id } = await reward('150')
    expect(world.received(bob)).toBe(0n)
    await rewards.approve(id)
    expect([world.received(bob), await world.available('bob')]).toEqual([sats(150), 0n])
  })

  it.each(['at once', 'once it is approved'])('to its recipient’s Lightning Address, %s', async (when) => {
    const host = await hostAddress(world)
    onTestFinished(() => host.close())
    await world.run(world.tipping.forwarding.start({ member: 'bob', address: host.address, origin: world.origin() }))
    const approvalAbove = sats(when === 'at once' ? 200 : 100)
    await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { approvalAbove } })
    const { id, state } = await reward('150')
    if (state === 'asked') await rewards.approve(id)
    await world.pass(1_000)
    const sent = await world.database.read.withdrawal.findMany({ where: { forwarded: true } })
    expect(sent).toMatchObject([{ member: 'bob', state: 'paid', amount: sats(140) }])
  })
})

describe('several small rewards', () => {
  const give = (amount: string, { from = 'mod', to = 'bob' } = {}) =>
    world.run(
      world.tipping.rewards.give({
        ...{ guild, member: from, to: { id: to, bot: false }, roles: ['mods'], amount, reason: 'heating' },
        origin: world.origin(),
      }),
    )
  const states = async (...given: Parameters<typeof give>[]) => {
    const found: string[] = []
    for (const one of given) found.push((await give(...one)).state)
    return found
  }

  it('wait for approval even if the clock is set forward by days', async () => {
    await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { approvalAbove: sats(100) } })
    expect(await states(['60'])).toEqual(['paid'])
    world.clock.jump(2 * 24 * 3_600_000)
    expect(await states(['60', { to: 'carol' }])).toEqual(['asked'])
  })

  it('wait if all of one giver’s rewards of a day together exceed the limit', async () => {
    expect(await states(['60', { to: 'bob' }], ['40', { to: 'carol' }], ['1', { to: 'dave' }])).toEqual([
      'paid',
      'paid',
      'asked',
    ])
  })

  it('wait if all of one recipient’s rewards within a day together exceed the limit', async () => {
    expect(await states(['60', { from: 'mod' }], ['40', { from: 'mod2' }], ['1', { from: 'mod3' }])).toEqual([
      'paid',
      'paid',
      'asked',
    ])
    // Others are as before.
    expect(await states(['60', { from: 'mod3', to: 'carol' }])).toEqual(['paid'])
  })

  it('are paid only up to the limit if ten are given at the same moment', async () => {
    const given = await Promise.all(Array.from({ length: 10 }, () => give('30')))
    expect(given.filter(({ state }) => state === 'paid')).toHaveLength(3)
  })

  it('are added up, except for those that were decided or are older than a day', async () => {
    const [first, second] = [await give('200'), await give('150')]
    await rewards.approve(first.id)
    await rewards.deny(second.id)
    expect(await states(['100'], ['10'])).toEqual(['paid', 'asked'])
    await world.clock.advance(23 * 3_600_000)
    expect(await states(['10'])).toEqual(['asked'])
    await world.clock.advance(3_600_000 + 1)
    expect(await states(['10'])).toEqual(['paid'])
  })

  it('are all paid if no second moderator is needed', async () => {
    await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { approvalAbove: undefined } })
    expect(await states(['90'], ['90'])).toEqual(['paid', 'paid'])
  })
})
