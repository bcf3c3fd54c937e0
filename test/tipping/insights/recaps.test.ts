import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { lastPeriod } from '../../../src/tipping/insights/recap-period.ts'
import { TippingWorld } from '../world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('the period of a recap', () => {
  it.each([
    // Clocks are set forward on 2030-03-31 in Berlin, and back on 2030-10-27.
    ['week', '2030-04-03T12:00Z', 'Europe/Berlin', '2030-03-24T23:00Z', '2030-03-31T22:00Z'],
    ['week', '2030-10-28T00:30Z', 'Europe/Berlin', '2030-10-20T22:00Z', '2030-10-27T23:00Z'],
    ['week', '2030-01-07T00:00Z', 'UTC', '2029-12-31T00:00Z', '2030-01-07T00:00Z'],
    ['week', '2030-01-06T23:59Z', 'UTC', '2029-12-24T00:00Z', '2029-12-31T00:00Z'],
    ['week', '2030-01-06T23:59Z', 'Asia/Tokyo', '2029-12-30T15:00Z', '2030-01-06T15:00Z'],
    ['month', '2030-03-01T07:59Z', 'America/Los_Angeles', '2030-01-01T08:00Z', '2030-02-01T08:00Z'],
    ['month', '2030-04-01T07:00Z', 'America/Los_Angeles', '2030-03-01T08:00Z', '2030-04-01T07:00Z'],
  ] as const)('is the last whole %s before %s in %s: from %s to %s', (kind, at, zone, from, until) => {
    const period = lastPeriod(kind, Date.parse(at), zone)
    expect([period.from, period.until]).toEqual([new Date(from), new Date(until)])
    expect(period.days[0]?.begins).toEqual(period.from)
  })
})

describe('a recap', () => {
  let world: TippingWorld

  /**
   * Opens a world on Tuesday, 2030-01-01, in which alice, carol and hidden dave have sats, and the server wants recaps.
   */
  beforeEach(async () => {
    // Looked at less often, so that a week takes few steps.
    world = await TippingWorld.open({ settings: { sweepEveryMs: 4 * HOUR_MS } })
    for (const who of ['alice', 'carol', 'dave']) await world.fund(who, 1_000)
    await world.available('bob')
    const change = { recapChannel: 'news' }
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change })
    await world.tipping.preferences.change({ member: 'dave', change: { hidden: true } })
  })
  afterEach(() => world.close())

  const give = (from: string, to: string, amount: string, anonymous = false) => {
    const origin = { ...world.origin(), guild: 'guild' }
    return world.run(world.tipping.tips.send({ from, to: [{ id: to, bot: false }], amount, anonymous, origin }))
  }
  const pass = async (ms: number) => {
    await world.clock.advance(ms)
    await world.settle()
  }
  const cards = () => world.database.read.card.findMany({ where: { kind: 'recap' } })

  it('reports the week’s gifts once, and does not name people who opted out', async () => {
    for (let day = 0; day < 3; day += 1) {
      await give('alice', 'bob', '10')
      if (day === 1) await give('carol', 'alice', '500')
      await pass(DAY_MS)
    }
    await give('dave', 'bob', '50')
    await give('carol', 'bob', '70', true)
    await give('alice', 'newcomer', '5')
    await world.run(world.tipping.claims.take({ member: 'newcomer', origin: world.origin() }))
    expect(await cards()).toEqual([])
    await pass(Date.UTC(2030, 0, 7, 6) - world.clock.now())

    const [card, ...more] = await cards()
    expect(more).toEqual([])
    expect(card).toMatchObject({ guild: 'guild', channel: 'news', member: null })
    const recap = await world.tipping.insights.recap(card?.record ?? '')
    expect(recap).toMatchObject({ kind: 'week', gifts: 7, amount: sats(655), pool: 0n, newcomers: 1 })
    expect(recap.thanks).toEqual([
      { from: 'alice', to: 'bob', count: 3 },
      { from: 'alice', to: 'newcomer', count: 1 },
      { from: 'carol', to: 'alice', count: 1 },
    ])
    expect(recap.streaks).toEqual([{ member: 'alice', days: 4 }])
    const days = [0, 10, 510, 10, 125, 0, 0].map((amount) => sats(amount))
    expect(recap.days.map(({ amount }) => amount)).toEqual(days)
    expect(recap.days[0]?.from).toEqual(new Date('2029-12-31T00:00Z'))

    await world.tipping.preferences.change({ member: 'alice', change: { hidden: true } })
    expect((await world.tipping.insights.recap(card?.record ?? '')).thanks).toEqual([])
    await world.restart()
    await pass(5 * HOUR_MS)
    expect(await cards()).toHaveLength(1)
  })

  it('finds the longest streak among those of 841 members', async () => {
    const others = Array.from({ length: 840 }, (_, i) => `a${i}`)
    // The others pause on Friday.
    const rows = [...others, 'zoe'].flatMap((sender) => {
      const days = [0, 1, 2, 3, 4, 5, 6].filter((day) => sender === 'zoe' || day !== 4)
      return days.map((day) => ({ id: `${sender}-${day}`, sender, at: new Date(Date.UTC(2029, 11, 31 + day, 12)) }))
    })
    const { write } = world.database
    await write.tip.createMany({
      data: rows.map(({ id, sender, at: createdAt }) => {
        return { id, sender, note: '', total: 1_000n, guild: 'guild', channel: 'channel', card: id, createdAt }
      }),
    })
    await write.tipShare.createMany({
      data: rows.map(({ id }) => ({ id, tipId: id, ordinal: 0, recipient: 'bob', amount: 1_000n, state: 'credited' })),
    })
    await pass(Date.UTC(2030, 0, 7, 6) - world.clock.now())
    const [card] = await cards()
    const { streaks } = await world.tipping.insights.recap(card?.record ?? '')
    expect(streaks.slice(0, 2)).toEqual([
      { member: 'zoe', days: 7 },
      { member: 'a0', days: 4 },
    ])
    world.excused = /./
  })

  it('covers a month in the server’s time zone if the server so chooses', async () => {
    const change = { recapMonthly: true, timeZone: 'America/Los_Angeles' }
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change })
    await give('alice', 'bob', '10')
    await pass(7 * HOUR_MS)
    expect(await cards()).toEqual([])
    await pass(5 * HOUR_MS)
    const [card, ...more] = await cards()
    expect(more).toEqual([])
    const recap = await world.tipping.insights.recap(card?.record ?? '')
    expect(recap).toMatchObject({ kind: 'month', gifts: 1, amount: sats(10) })
    expect(recap.days.map(({ amount }) => amount)).toEqual([...Array(30).fill(0n), sats(10)])
  })

  it('is not sent for a week without gifts, or for one that ended long ago', async () => {
    await pass(Date.UTC(2030, 0, 7, 6) - world.clock.now())
    expect(await cards()).toEqual([])
    await give('alice', 'bob', '10')
    const { preferences } = world.tipping
    await preferences.changeServer({ guild: 'guild', member: 'mod', change: { recapChannel: undefined } })
    await pass(Date.UTC(2030, 0, 14, 13) - world.clock.now())
    await preferences.changeServer({ guild: 'guild', member: 'mod', change: { recapChannel: 'news' } })
    await pass(5 * HOUR_MS)
    expect(await cards()).toEqual([])
  })
})
