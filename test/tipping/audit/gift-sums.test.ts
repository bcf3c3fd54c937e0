import { beforeEach, describe, expect, it } from 'vitest'
import { TippingWorld } from '../world.ts'

const GIVEN = 100_000n

let world: TippingWorld
/** The day and the month of the gift. */
let day: string
let month: string

beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
  await world.tipping.balances.view('bob')
  await world.tip('alice', 'bob', '100')
  day = new Date(world.clock.now()).toISOString().slice(0, 10)
  month = day.slice(0, 7)
})
const faults = async () => (await world.run(world.tipping.administration.audit())).faults
const wrongFor = (time: string) => expect.stringContaining(`the leaderboard of server guild is wrong for ${time}: `)
const paused = async () => (await world.tipping.administration.status()).paused
const days = () => world.database.write.giftDay
const months = () => world.database.write.giftMonth
const ofAlice = { side: 'giver', member: 'alice' }

describe('an audit of the sums of gifts', () => {
  it('finds a day with a wrong amount, and causes no pause', async () => {
    await days().updateMany({ where: ofAlice, data: { amount: GIVEN + 1n } })
    expect(await faults()).toEqual([wrongFor(day)])
    expect(await paused()).toBeUndefined()
    await days().updateMany({ where: ofAlice, data: { amount: GIVEN } })
    expect(await faults()).toEqual([])
  })

  it('finds a day with a wrong giver', async () => {
    await days().updateMany({ where: ofAlice, data: { member: 'mallory' } })
    expect(await faults()).toEqual([wrongFor(day), wrongFor(month)])
    await days().updateMany({ where: { side: 'giver' }, data: { member: 'alice' } })
  })

  it('finds a month with a wrong amount', async () => {
    await months().updateMany({ where: ofAlice, data: { amount: GIVEN - 1n } })
    expect(await faults()).toEqual([wrongFor(month)])
    await months().updateMany({ where: ofAlice, data: { amount: GIVEN } })
  })

  it('finds sums for a day or a server that has no gifts', async () => {
    const key = { guild: 'guild', day: '2020-02-02', side: 'getter', member: 'bob' }
    const others = { ...key, guild: 'elsewhere', day }
    await days().createMany({ data: [key, others].map((row) => ({ ...row, amount: 1n })) })
    const elsewhere = expect.stringContaining(`the leaderboard of server elsewhere is wrong for ${day}: `)
    expect(await faults()).toEqual([elsewhere, wrongFor('2020-02-02')])
    await days().deleteMany({ where: { OR: [key, others] } })
    await months().deleteMany({ where: { OR: [{ month: '2020-02' }, { guild: 'elsewhere' }] } })
  })

  it('finds missing sums', async () => {
    const kept = await days().findMany()
    await days().deleteMany()
    await months().deleteMany()
    expect(await faults()).toEqual([wrongFor(day)])
    await days().createMany({ data: kept })
  })
})
