import { beforeEach, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { must } from '../../support/must.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ settings: { claimDays: 1 / 24, sweepEveryMs: 10 * 60_000 } })
  for (const member of ['alice', 'dave']) await world.fund(member, 10_000)
  await world.tipping.balances.view('bob')
})
const amounts = (ranked: readonly { member: string; amount: bigint }[]) =>
  ranked.map(({ member, amount }) => [member, Number(amount) / 1_000])

/** Returns today's leaderboard, which the leaderboards of longer spans must equal. */
async function board() {
  const boards = await Promise.all(
    (['day', 'week', 'month', 'year'] as const).map((span) => world.tipping.insights.leaderboard('guild', span)),
  )
  const [today, ...others] = boards.map(({ since, ...each }) => each)
  for (const other of others) expect(other).toEqual(today)
  return must(today)
}

function bothViews() {
  return Promise.all([board(), world.tipping.insights.stats('guild', 'day')])
}

it('a leaderboard adds up a server’s gifts in its period, the largest sum first', async () => {
  await world.tip('dave', ['bob', 'alice'], '100')
  world.clock.jump(8 * 24 * 3_600_000)
  await world.tip('alice', 'bob', '300')
  await world.tip('dave', 'bob', '50')
  const to = [{ id: 'bob', bot: false }]
  await world.tipping.tips.send({ from: 'dave', to, amount: '5000', origin: { ...world.origin(), guild: 'elsewhere' } })
  const week = await world.tipping.insights.leaderboard('guild', 'week')
  expect(amounts(week.tippers)).toEqual([
    ['alice', 300],
    ['dave', 50],
  ])
  expect(amounts(week.receivers)).toEqual([['bob', 350]])
  const month = await world.tipping.insights.leaderboard('guild', 'month')
  expect(amounts(month.tippers)).toEqual([
    ['alice', 300],
    ['dave', 250],
  ])
})

it('the leaderboard of a year covers this month and the eleven before it', async () => {
  await world.tip('dave', 'bob', '7')
  const begun = new Date(world.clock.now())
  const months = (ago: number) => Date.UTC(begun.getUTCFullYear(), begun.getUTCMonth() + ago, 15) - begun.getTime()
  world.clock.jump(months(11))
  await world.tip('alice', 'bob', '300')
  const receivers = async () => amounts((await world.tipping.insights.leaderboard('guild', 'year')).receivers)
  expect(await receivers()).toEqual([['bob', 307]])
  world.clock.jump(months(12) - months(11))
  expect(await receivers()).toEqual([['bob', 300]])
})

it('a leaderboard leaves out only the people who opted out', async () => {
  await world.tip('alice', 'bob', '300')
  await world.tip('dave', 'bob', '50')
  await world.tipping.preferences.change({ member: 'alice', change: { hidden: true } })
  expect(amounts((await board()).tippers)).toEqual([['dave', 50]])
})

it('returned gifts do not count on leaderboards', async () => {
  await world.tip('alice', 'carol', '300')
  await world.tip('dave', 'bob', '20')
  await world.pass(2 * 3_600_000)
  expect(amounts((await board()).tippers)).toEqual([['dave', 20]])
})

it('a gift to a newcomer counts for its giver, and for the newcomer once claimed', async () => {
  await world.tip('alice', 'carol', '300')
  await world.tip('alice', 'bob', '20')
  const [board, stats] = await bothViews()
  expect([amounts(board.tippers), amounts(board.receivers)]).toEqual([[['alice', 320]], [['bob', 20]]])
  expect(stats).toMatchObject({ total: sats(320), gifts: 2, tippers: 1, receivers: 1 })
  expect([board.unclaimed, stats.unclaimed]).toEqual([sats(300), sats(300)])
  await world.tipping.claims.take({ member: 'carol', origin: world.origin() })
  const [boardAfter, statsAfter] = await bothViews()
  expect(amounts(boardAfter.receivers)).toEqual([
    ['carol', 300],
    ['bob', 20],
  ])
  expect(statsAfter).toMatchObject({ total: sats(320), gifts: 2, tippers: 1, receivers: 2 })
  expect([boardAfter.unclaimed, statsAfter.unclaimed]).toEqual([0n, 0n])
})

it('a newcomer’s unclaimed reward counts neither as given nor as unclaimed', async () => {
  const { tipping } = world
  const by = { guild: 'guild', member: 'alice' }
  await tipping.pools.give({ ...by, amount: '500', origin: world.origin() })
  await tipping.pools.budget({ ...by, role: 'mods', amount: '500', period: 'day' })
  const reward = { ...by, roles: ['mods'], to: { id: 'carol', bot: false }, reason: 'help' }
  await tipping.rewards.give({ ...reward, amount: '70', origin: world.origin() })
  await world.tip('dave', 'carol', '300')
  const [board, stats] = await bothViews()
  expect([amounts(board.tippers), amounts(board.receivers)]).toEqual([[['dave', 300]], []])
  expect([board.unclaimed, stats.unclaimed, stats.total]).toEqual([sats(300), sats(300), sats(300)])
  await tipping.claims.take({ member: 'carol', origin: world.origin() })
  const [boardAfter, statsAfter] = await bothViews()
  expect(amounts(boardAfter.receivers)).toEqual([['carol', 370]])
  expect([boardAfter.unclaimed, statsAfter.unclaimed, statsAfter.total]).toEqual([0n, 0n, sats(300)])
})

it('statistics show the sum of each day and the number of participants', async () => {
  await world.tip('alice', 'bob', '300')
  world.clock.jump(2 * 24 * 3_600_000)
  await world.tip('dave', ['bob', 'alice'], '50')
  const { bars, ...sums } = await world.tipping.insights.stats('guild', 'week')
  expect(bars.map(({ amount }) => Number(amount) / 1_000)).toEqual([0, 0, 0, 0, 300, 0, 100])
  expect(sums).toMatchObject({ total: sats(400), gifts: 3, tippers: 2, receivers: 2, largest: sats(300) })
})

it('shares of drops and prizes of giveaways count like tips, each at its own time', async () => {
  const { tipping } = world
  const roles: string[] = []
  const claimant = (id: string) => ({ id, accountSince: new Date(0), memberSince: new Date(0), roles })
  const drop = await tipping.drops.open({ member: 'alice', amount: '300', shares: 3, origin: world.origin() })
  await tipping.drops.claim({ drop: drop.id, claimant: claimant('bob'), origin: world.origin() })
  const draw = { member: 'alice', amount: '40', shares: 1, minutes: 60, draw: true, origin: world.origin() }
  const drawn = await tipping.drops.open(draw)
  await tipping.drops.claim({ drop: drawn.id, claimant: claimant('carol'), origin: world.origin() })
  const started = { prize: '500', winners: 1, duration: '2h', member: 'dave', origin: world.origin() }
  const giveaway = await tipping.giveaways.start(started)
  const entry = { giveaway: giveaway.id, member: 'bob', entrant: { accountSince: new Date(0), roles } }
  await tipping.giveaways.enter({ ...entry, interaction: 'press-1' })
  const before = await board()
  expect([amounts(before.tippers), amounts(before.receivers)]).toEqual([[['alice', 100]], [['bob', 100]]])
  await world.pass(3 * 3_600_000)
  const after = await board()
  expect(amounts(after.tippers)).toEqual([
    ['dave', 500],
    ['alice', 140],
  ])
  expect(amounts(after.receivers)).toEqual([
    ['bob', 600],
    ['carol', 40],
  ])
  const { bars, ...sums } = await tipping.insights.stats('guild', 'day')
  expect(sums).toMatchObject({ total: sats(640), gifts: 3, tippers: 2, receivers: 2, largest: sats(500) })
  expect(bars.filter(({ gifts }) => gifts > 0)).toHaveLength(3)
  expect((await tipping.insights.leaderboard('elsewhere', 'day')).tippers).toEqual([])
})
