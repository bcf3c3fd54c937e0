import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { periodAt } from '../../../src/tipping/core/budgets.ts'
import type { Period } from '../../../src/tipping/pools/pools.ts'
import { TippingWorld } from '../world.ts'

it.each<[Period, string, string, string]>([
  ['day', '2030-01-31T23:59:59.999Z', '2030-01-31', '2030-02-01'],
  ['day', '2030-02-01T00:00:00.000Z', '2030-02-01', '2030-02-02'],
  // A Sunday is the last day of its week, a Monday the first.
  ['week', '2030-01-06T23:59:59.999Z', 'week of 2029-12-31', '2030-01-07'],
  ['week', '2030-01-07T00:00:00.000Z', 'week of 2030-01-07', '2030-01-14'],
  ['week', '2030-01-09T12:00:00.000Z', 'week of 2030-01-07', '2030-01-14'],
  ['month', '2030-11-30T23:59:59.999Z', '2030-11', '2030-12-01'],
  ['month', '2030-12-01T00:00:00.000Z', '2030-12', '2031-01-01'],
])('the %s that contains %s is %s, and ends when %s begins', (period, at, name, until) => {
  expect(periodAt(period, new Date(at))).toEqual({ name, until: new Date(until) })
})

const DAY_MS = 24 * 3_600_000
let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
})
function budget(role: string, amount: string, period: Period = 'day', guild = 'guild') {
  return world.tipping.pools.budget({ guild, member: 'owner', role, amount, period })
}

describe('a budget of a role', () => {
  it('is shown with those of other roles, and is changed and removed separately', async () => {
    await budget('one', '7', 'month', 'elsewhere')
    await budget('two', '100')
    await budget('two', '200', 'week')
    expect(await budget('one', '50')).toEqual([
      { role: 'one', amount: sats(50), period: 'day' },
      { role: 'two', amount: sats(200), period: 'week' },
    ])
    expect(await budget('one', ' None ')).toEqual([{ role: 'two', amount: sats(200), period: 'week' }])
    expect(await budget('two', '0')).toEqual([])
    expect(await budget('three', '1', 'day', 'elsewhere')).toEqual([
      { role: 'one', amount: sats(7), period: 'month' },
      { role: 'three', amount: sats(1), period: 'day' },
    ])
    const log = await world.database.read.moderationLogEntry.findMany({
      where: { guild: 'guild' },
      orderBy: { at: 'asc' },
    })
    expect(log.map(({ member, action, about }) => [member, action, JSON.parse(about)])).toEqual([
      ['owner', 'budget', { role: 'two', amount: '100000', period: 'day' }],
      ['owner', 'budget', { role: 'two', amount: '200000', period: 'week' }],
      ['owner', 'budget', { role: 'one', amount: '50000', period: 'day' }],
      ['owner', 'budget', { role: 'one', amount: null, period: 'day' }],
      ['owner', 'budget', { role: 'two', amount: null, period: 'day' }],
    ])
  })

  it.each([
    ['none of it', 'amount-not-understood'],
    ['0.001', 'amount-too-small'],
    ['99999999999', 'amount-too-large'],
  ])('keeps its amount if the new amount is refused: %j', async (amount, code) => {
    const before = await budget('one', '50')
    await expect(budget('one', amount)).rejects.toMatchObject({ code })
    expect(await budget('two', 'none')).toEqual(before)
  })
})

describe('a reward', () => {
  beforeEach(async () => {
    for (const guild of ['guild', 'elsewhere']) {
      await world.fund('giver', 2_000)
      await world.tipping.pools.give({ guild, member: 'giver', amount: 'all', origin: { ...world.origin(), guild } })
    }
    await world.tipping.balances.view('bob')
  })

  function reward(amount: string, more: { guild?: string; roles?: string[]; member?: string } = {}) {
    const { guild = 'guild', roles = ['mods'], member = 'mod' } = more
    const to = { id: 'bob', bot: false }
    const origin = { ...world.origin(), guild }
    return world.tipping.rewards.give({ guild, member, roles, to, amount, reason: 'Fixed the heating', origin })
  }
  const refusedWith = (left: number, cap: number, until: string) => ({
    code: 'budget-exhausted',
    facts: { left: sats(left), cap: sats(cap), until: new Date(until) },
  })

  it('comes from whichever budget of the giver’s roles has the most left', async () => {
    await budget('helpers', '100', 'day')
    await budget('mods', '300', 'month')
    await budget('others', '900')
    await budget('mods', '5000', 'day', 'elsewhere')
    const roles = ['helpers', 'mods']
    await reward('250', { roles })
    // Of 100 a day and 50 a month, the day has more.
    await expect(reward('101', { roles })).rejects.toMatchObject(refusedWith(100, 100, '2030-01-02'))
    await reward('100', { roles })
    await expect(reward('51', { roles })).rejects.toMatchObject(refusedWith(50, 300, '2030-02-01'))
    await reward('50', { roles })
    await expect(reward('1', { roles: ['neither'] })).rejects.toMatchObject({ code: 'budget-none' })
  })

  it('comes from everybody’s budget if the server has a budget for everybody', async () => {
    await budget('guild', '30', 'week')
    await reward('30', { roles: [] })
    await expect(reward('1', { roles: [] })).rejects.toMatchObject(refusedWith(0, 30, '2030-01-07'))
    await expect(reward('1', { roles: [], guild: 'elsewhere' })).rejects.toMatchObject({ code: 'budget-none' })
    // Tuesday was the first day of 2030.
    await world.leap(6 * DAY_MS)
    await reward('30', { roles: [] })
  })

  it('is refused if the budget has been lowered below the sum already given', async () => {
    await budget('mods', '500')
    await reward('400')
    await budget('mods', '300')
    await expect(reward('1')).rejects.toMatchObject(refusedWith(0, 300, '2030-01-02'))
  })

  it('when denied, returns only its own sum to the budget of the day of its request', async () => {
    await budget('mods', '500')
    const change = { approvalAbove: sats(100) }
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'owner', change })
    await reward('100', { member: 'other' })
    await reward('40')
    const { id } = await reward('300')
    await world.leap(DAY_MS)
    await reward('90')
    await world.tipping.rewards.deny({ reward: id, member: 'second' })
    const usage = await world.database.read.usage.findMany({ orderBy: [{ day: 'asc' }, { key: 'asc' }] })
    expect(usage.map(({ key, day, used }) => [key, day, used])).toEqual([
      ['reward:guild:mods:mod', '2030-01-01', sats(40)],
      ['reward:guild:mods:other', '2030-01-01', sats(100)],
      ['reward:guild:mods:mod', '2030-01-02', sats(90)],
    ])
  })
})
