import { afterEach, beforeEach, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { TippingWorld } from './world.ts'

const DAY_MS = 24 * 3_600_000
let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ settings: { claimDays: 1, sweepEveryMs: 3_600_000 } })
  for (const member of ['alice', 'dave']) await world.fund(member, 10_000)
  await world.tipping.balances.view('bob')
})
afterEach(() => world.close())

/** Sats of the last days, the newest last. */
async function shown(days: number) {
  const movement = await world.run(world.tipping.administration.movement())
  const line = ({ received, sent, given }: (typeof movement.days)[number]) =>
    [received, sent, given].map((amount) => Number(amount) / 1_000)
  return movement.days.slice(-days).map(line)
}

it('sums day by day what came in, went out and was given, and nothing that went back to its giver', async () => {
  await world.tip('alice', 'bob', '300')
  await world.tip('dave', 'somebody-new', '70')
  await world.linked('carol')
  world.clock.jump(DAY_MS)
  await world.pass(3_600_000)
  await world.tip('alice', 'carol', '40')
  await world.settle()
  expect(await shown(3)).toEqual([
    [0, 0, 0],
    [20_000, 0, 300],
    [0, 40, 40],
  ])
})

it('counts what a newcomer claims on the day of the claim', async () => {
  await world.tip('alice', 'somebody-new', '70')
  expect(await shown(1)).toEqual([[20_000, 0, 0]])
  await world.tipping.claims.take({ member: 'somebody-new', origin: world.origin() })
  await world.pass(5 * 60_000)
  expect(await shown(1)).toEqual([[20_000, 0, 70]])
})

it('forgets what is older than thirty days, also where an audit says where to begin', async () => {
  await world.run(world.tipping.administration.audit())
  world.clock.jump(31 * DAY_MS)
  await world.tip('alice', 'bob', '5')
  const { days, points } = await world.run(world.tipping.administration.movement())
  expect(days).toHaveLength(30)
  expect(points).toEqual([])
  expect(days.map(({ given, received }) => given + received).filter((sum) => sum > 0n)).toEqual([sats(5)])
})

it('says what audits found owed and held, the newest last', async () => {
  await world.run(world.tipping.administration.audit())
  await world.fund('alice', 500)
  await world.run(world.tipping.administration.audit())
  const { points } = await world.run(world.tipping.administration.movement())
  expect(points.slice(-2).map(({ owed }) => owed)).toEqual([sats(20_000), sats(20_500)])
  expect(points.at(-1)?.wallet).toBeGreaterThanOrEqual(sats(20_500))
})
