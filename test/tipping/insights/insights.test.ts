import { afterEach, beforeEach, expect, it } from 'vitest'
import { sats } from '../../../src/lib/amount.ts'
import { World } from '../world.ts'

let world: World

beforeEach(async () => {
  world = await World.open({ settings: { parkingDays: 1 / 24, sweepEveryMs: 60_000 } })
  for (const member of ['alice', 'dave']) await world.fund(member, 10_000)
  await world.tipping.balance('bob')
})
afterEach(() => world.close())

const amounts = (ranked: readonly { member: string; amount: bigint }[]) =>
  ranked.map(({ member, amount }) => [member, Number(amount) / 1_000])

it('a leaderboard counts what was given and received in the server and the span, largest first', async () => {
  await world.tip('dave', ['bob', 'alice'], '100')
  world.clock.jump(8 * 24 * 3_600_000)
  await world.tip('alice', 'bob', '300')
  await world.tip('dave', 'bob', '50')
  const to = [{ id: 'bob', bot: false }]
  await world.tipping.tip({ from: 'dave', to, amount: '5000', origin: { ...world.origin(), guild: 'elsewhere' } })
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

it('whoever wants to be left out is, also where many do', async () => {
  await world.tip('alice', 'bob', '300')
  await world.tip('dave', 'bob', '50')
  await world.tipping.preferences.change({ member: 'alice', change: { hidden: true } })
  const { tippers } = await world.tipping.insights.leaderboard('guild', 'day')
  expect(amounts(tippers)).toEqual([['dave', 50]])
})

it('what went back to its giver was not given', async () => {
  await world.tip('alice', 'carol', '300')
  await world.tip('dave', 'bob', '20')
  await world.pass(2 * 3_600_000)
  const { tippers } = await world.tipping.insights.leaderboard('guild', 'year')
  expect(amounts(tippers)).toEqual([['dave', 20]])
})

it('stats count by days, with how many took part', async () => {
  await world.tip('alice', 'bob', '300')
  world.clock.jump(2 * 24 * 3_600_000)
  await world.tip('dave', ['bob', 'alice'], '50')
  const { bars, ...sums } = await world.tipping.insights.stats('guild', 'week')
  expect(bars.map(({ amount }) => Number(amount) / 1_000)).toEqual([0, 0, 0, 0, 300, 0, 100])
  expect(sums).toMatchObject({ total: sats(400), tips: 3, tippers: 2, receivers: 2, largest: sats(300) })
})
