import { beforeEach, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { TippingWorld } from './world.ts'

const guild = 'guild'
let world: TippingWorld
let begin: number

/** Opens a world in which the pool has 500 sats, moderators may give 400, and alice and bob use the bot. */
beforeEach(async () => {
  world = await TippingWorld.open({ settings: { claimDays: 1 / 24 } })
  for (const member of ['giver', 'alice']) await world.fund(member, 1_000)
  await world.fund('bob', 1)
  await world.tipping.pools.give({ guild, member: 'giver', amount: '500', origin: here() })
  await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '400', period: 'month' })
  begin = await world.tipping.serverEvents.latest()
})
const here = () => ({ ...world.origin(), guild, channel: 'lounge' })
const person = (id: string) => ({ id, bot: false })
const tip = (to: string, origin = here(), anonymous = false) =>
  world.run(world.tipping.tips.send({ from: 'alice', to: [person(to)], amount: '10', anonymous, origin }))

function reward(to: string, reason = 'well done') {
  const command = { guild, member: 'mod', roles: ['mods'], to: person(to), amount: '30', reason, origin: here() }
  return world.run(world.tipping.rewards.give(command))
}

/** Returns the events since the beginning, by pages of any size. */
async function events(since = begin) {
  const whole = await world.tipping.serverEvents.after(since, 1_000)
  const pieces = []
  for (let cursor = since; ; ) {
    const page = await world.tipping.serverEvents.after(cursor, 1)
    pieces.push(...page.events)
    if (page.cursor === cursor) break
    cursor = page.cursor
  }
  expect(pieces).toEqual(whole.events)
  return whole.events.map(({ id: _, at: __, ...event }) => event)
}

it('each gift is one event, in order, and its claim or forwarding adds none', async () => {
  await tip('bob')
  await tip('newcomer')
  await reward('bob')
  await world.tipping.pools.give({ guild, member: 'giver', amount: '5', origin: here() })
  await world.run(world.tipping.claims.take({ member: 'newcomer', origin: world.origin() }))
  const about = { guild, channel: 'lounge' }
  expect(await events()).toEqual([
    { ...about, type: 'tip', from: 'alice', to: 'bob', amount: sats(10) },
    { ...about, type: 'tip', from: 'alice', to: 'newcomer', amount: sats(10) },
    { ...about, type: 'reward', from: undefined, to: 'bob', amount: sats(30) },
    { guild, channel: undefined, type: 'pool-gift', from: undefined, to: undefined, amount: sats(5) },
  ])
})

it('a drop and a giveaway are events when they begin, but not when they end', async () => {
  const drop = { member: 'alice', amount: '20', shares: 4, minutes: 10, origin: here() }
  await world.run(world.tipping.drops.open({ ...drop } as never))
  const giveaway = { member: 'alice', prize: '30', winners: 2, duration: '1m', origin: here() }
  const { id } = await world.run(world.tipping.giveaways.start(giveaway))
  const entry = { giveaway: id, member: 'bob', entrant: { accountSince: new Date(0), roles: [] } }
  await world.tipping.giveaways.enter({ ...entry, interaction: world.origin().interaction })
  await world.pass(3_600_000)
  expect((await world.tipping.giveaways.view(id)).won).toHaveLength(1)
  const about = { guild, channel: 'lounge', from: 'alice', to: undefined }
  expect(await events()).toEqual([
    { ...about, type: 'drop', amount: sats(20) },
    { ...about, type: 'giveaway', amount: sats(60) },
  ])
})

it('a waiting reward becomes an event once it is paid, and a denied one never does', async () => {
  await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { approvalAbove: sats(20) } })
  const [paid, denied] = [await reward('bob'), await reward('alice', 'nothing')]
  expect(await events()).toEqual([])
  await world.run(world.tipping.rewards.approve({ reward: paid.id, member: 'second' }))
  await world.tipping.rewards.deny({ reward: denied.id, member: 'second' })
  expect(await events()).toEqual([
    { guild, channel: 'lounge', type: 'reward', from: undefined, to: 'bob', amount: sats(30) },
  ])
})

it('an approved reward for a newcomer is only one event, at its approval', async () => {
  await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { approvalAbove: sats(20) } })
  const [claimed, lapsing] = [await reward('newcomer'), await reward('absentee')]
  for (const { id } of [claimed, lapsing]) {
    expect(await events()).toEqual([])
    await world.run(world.tipping.rewards.approve({ reward: id, member: 'second' }))
    const [event, ...others] = await events()
    expect({ event, others }).toMatchObject({ event: { type: 'reward', amount: sats(30) }, others: [] })
    begin = await world.tipping.serverEvents.latest()
  }
  await world.run(world.tipping.claims.take({ member: 'newcomer', origin: world.origin() }))
  await world.pass(7_200_000)
  expect((await world.tipping.rewards.view(lapsing.id)).share).toMatchObject({ state: 'returned' })
  expect(await events()).toEqual([])
})

it('the events omit private gifts, and do not name people who opted out', async () => {
  await world.tipping.preferences.change({ member: 'alice', change: { hidden: true } })
  await tip('bob')
  await world.tipping.preferences.change({ member: 'bob', change: { hidden: true } })
  await tip('bob', { ...world.origin(), guild: null } as never)
  expect(await events()).toMatchObject([{ from: undefined, to: undefined, amount: sats(10) }])
})

it('the events do not name the giver of an anonymous tip to a member or a newcomer', async () => {
  await tip('bob', here(), true)
  await tip('newcomer', here(), true)
  await world.run(world.tipping.claims.take({ member: 'newcomer', origin: world.origin() }))
  expect(await events()).toMatchObject([
    { type: 'tip', from: undefined, to: 'bob', amount: sats(10) },
    { type: 'tip', from: undefined, to: 'newcomer', amount: sats(10) },
  ])
})
