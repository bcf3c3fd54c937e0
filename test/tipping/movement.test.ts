import { beforeEach, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { TippingWorld } from './world.ts'

const DAY_MS = 24 * 3_600_000
/** An audit's figures, without its time and the sums owed and held. */
const FIGURES = {
  ...{ lastEntry: 0, leaves: 0, holds: true, key: '0'.repeat(64), root: '0'.repeat(64) },
  ...{ expected: 0n, mayHaveLeft: 0n, mayHaveArrived: 0n },
}
let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ settings: { claimDays: 1, sweepEveryMs: 3_600_000 } })
  for (const member of ['alice', 'dave']) await world.fund(member, 10_000)
  await world.tipping.balances.view('bob')
})
/** Returns the sats received, sent and given on each of the last `days` days, newest last. */
async function shown(days: number) {
  const movement = await world.run(world.tipping.administration.movement())
  const line = ({ received, sent, given }: (typeof movement.days)[number]) =>
    [received, sent, given].map((amount) => Number(amount) / 1_000)
  return movement.days.slice(-days).map(line)
}

it('the overview sums each day’s deposits, withdrawals and unreturned gifts', async () => {
  await world.tip('alice', 'bob', '300')
  await world.tip('dave', 'somebody-new', '70')
  await world.linked('carol')
  world.clock.jump(DAY_MS)
  await world.pass(3_600_000)
  await world.tip('alice', 'carol', '40')
  await world.settle()
  // The days are read from the first audit on that is not too young.
  await world.run(world.tipping.administration.audit())
  expect(await shown(3)).toEqual([
    [0, 0, 0],
    [20_000, 0, 300],
    [0, 40, 40],
  ])
})

it('the overview counts a newcomer’s claimed sats on the day of the claim', async () => {
  await world.tip('alice', 'somebody-new', '70')
  expect(await shown(1)).toEqual([[20_000, 0, 0]])
  await world.tipping.claims.take({ member: 'somebody-new', origin: world.origin() })
  await world.pass(5 * 60_000)
  expect(await shown(1)).toEqual([[20_000, 0, 70]])
})

it('the overview omits movements older than 30 days', async () => {
  await world.run(world.tipping.administration.audit())
  world.clock.jump(31 * DAY_MS)
  await world.tip('alice', 'bob', '5')
  const { days, points } = await world.run(world.tipping.administration.movement())
  expect(days).toHaveLength(30)
  expect(points).toEqual([])
  expect(days.map(({ given, received }) => given + received).filter((sum) => sum > 0n)).toEqual([sats(5)])
})

it('the overview covers 30 UTC days up to today, and is cached for 5 minutes', async () => {
  await world.pass(DAY_MS / 2)
  const movement = await world.run(world.tipping.administration.movement())
  const today = Math.floor(world.clock.now() / DAY_MS) * DAY_MS
  expect(movement.days.map(({ at }) => at)).toEqual(
    Array.from({ length: 30 }, (_, i) => new Date(today - (29 - i) * DAY_MS)),
  )
  await world.tip('alice', 'bob', '5')
  await world.pass(5 * 60_000 - 1)
  expect(await shown(1)).toEqual([[20_000, 0, 0]])
  await world.pass(1)
  expect(await shown(1)).toEqual([[20_000, 0, 5]])
})

it('the overview draws at most 120 audits, including the newest', async () => {
  const first = Math.floor(world.clock.now() / DAY_MS) * DAY_MS - 29 * DAY_MS
  const audits = Array.from({ length: 241 }, (_, i) => ({
    ...{ ...FIGURES, at: new Date(first - 1 + i), total: BigInt(i), wallet: i === 240 ? null : BigInt(i) },
  }))
  await world.database.write.snapshot.createMany({ data: audits })
  const { points } = await world.run(world.tipping.administration.movement())
  // Those of the start are the oldest in the book, and the first of these is from a day before.
  const owed = points.map((point) => Number(point.owed))
  expect(owed.slice(-80)).toEqual(Array.from({ length: 80 }, (_, i) => 3 + i * 3))
  expect(owed.length).toBeLessThanOrEqual(120)
  expect(points.at(-1)).toEqual({ at: new Date(first + 239), owed: 240n, wallet: undefined })
  expect(points.at(-2)).toEqual({ at: new Date(first + 236), owed: 237n, wallet: 237n })
})

it('each line of the overview begins at the start of its 30 days', async () => {
  const first = Math.floor(world.clock.now() / DAY_MS) * DAY_MS - 29 * DAY_MS
  const audits = [-1, 0].map((ms) => ({ ...FIGURES, at: new Date(first + ms), total: 7n, wallet: 7n }))
  await world.database.write.snapshot.createMany({ data: audits })
  const { points } = await world.run(world.tipping.administration.movement())
  expect(points.filter(({ owed }) => owed === 7n).map(({ at }) => at)).toEqual([new Date(first)])
})

it('the overview shows the debt and the holdings at each audit, the newest last', async () => {
  await world.run(world.tipping.administration.audit())
  await world.fund('alice', 500)
  await world.run(world.tipping.administration.audit())
  const { points } = await world.run(world.tipping.administration.movement())
  expect(points.slice(-2).map(({ owed }) => owed)).toEqual([sats(20_000), sats(20_500)])
  expect(points.at(-1)?.wallet).toBeGreaterThanOrEqual(sats(20_500))
})

it('the overview counts the opening balance as a deposit if there was no audit', async () => {
  await world.close()
  world = await TippingWorld.open({ wallet: 100_000n })
  await world.fund('alice', 300)
  expect(await shown(2)).toEqual([
    [0, 0, 0],
    [400, 0, 0],
  ])
})
