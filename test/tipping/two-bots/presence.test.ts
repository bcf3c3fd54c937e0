import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Bot, Bots } from './bots.ts'

let world: Bots
/** The bot with the gateway, which learns who is active. */
let hears: Bot
/** The bot that receives the commands. */
let front: Bot

beforeEach(async () => {
  world = await Bots.open()
  ;[hears, front] = world.all as [Bot, Bot]
})

afterEach(() => world.close())

const rain = async () => {
  const command = { from: 'alice', guild: 'guild', amount: '10', activeWithinMinutes: 5, origin: world.origin() }
  const { shares } = await front.tipping.rain.fall(command)
  return shares.map(({ recipient }) => recipient)
}

it('rain at one bot falls on people whom another bot saw write 10 seconds ago', async () => {
  await world.fund(front, 'alice', 100)
  hears.tipping.rain.heard('guild', 'bob')
  await world.pass(10_000)
  expect(await rain()).toEqual(['bob'])
  for (const who of ['bob', 'carol']) hears.tipping.rain.heard('guild', who)
  await world.pass(10_000)
  expect(await rain()).toEqual(['bob', 'carol'])
})

it('a bot stores no activity of a member whose data another bot has since deleted', async () => {
  const seen = () => world.database.read.presence.findMany({ select: { member: true }, orderBy: { member: 'asc' } })
  for (const who of ['alice', 'bob']) hears.tipping.rain.heard('guild', who)
  await front.tipping.privacy.forget('alice')
  await world.pass(65_000)
  expect(await seen()).toEqual([{ member: 'bob' }])
  hears.tipping.rain.heard('guild', 'alice')
  await world.pass(10_000)
  expect(await seen()).toEqual([{ member: 'alice' }, { member: 'bob' }])
})
