import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { TippingWorld, type WorldOptions } from './world.ts'

const guild = 'guild'
const source = 'prices.example'
const MINUTE_MS = 60_000
let world: TippingWorld

async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open(options)
}

/** Records a price from this many minutes ago. */
async function note(price: string, minutesAgo: number, currency = 'USD'): Promise<Date> {
  const at = new Date(world.clock.now() - minutesAgo * MINUTE_MS)
  await world.database.write.notedPrice.create({ data: { currency, at, price, source } })
  return at
}

const exported = () => world.tipping.history.export('alice')

it('an export values each booking at the price of its time, and names the source', async () => {
  await begin()
  await note('40000', 20)
  await note('99999', 1, 'EUR')
  const at = await note('50000.5', 5)
  await world.fund('alice', 1_000)
  await world.pass(MINUTE_MS)
  await note('60000', 0)
  const to = [{ id: 'bob', bot: false }]
  await world.run(world.tipping.tips.send({ from: 'alice', to, amount: '7', note: 'Soup', origin: world.origin() }))
  // What is noted later says nothing of it.
  await world.pass(MINUTE_MS)
  await note('70000', 0)
  const [deposit, tip] = await exported()
  expect(deposit).toMatchObject({ what: 'deposit', reason: '', rule: undefined })
  expect(deposit?.worth).toEqual({ currency: 'USD', source, value: '0.5000', price: '50000.5', at })
  expect(tip).toMatchObject({ what: 'tip-sent', who: 'bob', reason: 'Soup' })
  expect(tip?.worth).toMatchObject({ value: '-0.0042', price: '60000' })
})

it.each([
  [29, '0.0050'],
  [31, undefined],
])('a booking %i minutes after the last stored price is exported with the value %s', async (minutes, value) => {
  await begin()
  await note('50000', minutes)
  await world.fund('alice', 10)
  expect((await exported()).map(({ worth }) => worth?.value)).toEqual([value])
})

it('a price is stored with the host of its source, at most once every 10 minutes', async () => {
  const server = createServer((_, response) => response.end(JSON.stringify({ USD: '50000.5' })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  await begin({ ratesUrl: `http://${host}/prices?key=secret` })
  const noted = () => world.database.read.notedPrice.findMany({ orderBy: { at: 'asc' } })
  await vi.waitFor(async () => expect(await noted()).toHaveLength(1), 10_000)
  expect(await noted()).toMatchObject([{ currency: 'USD', price: '50000.5', source: host }])
  await world.pass(25 * MINUTE_MS)
  await vi.waitFor(async () => expect((await noted()).length).toBeGreaterThan(1), 10_000)
  const times = (await noted()).map(({ at }) => at.getTime())
  for (const [index, time] of times.slice(1).entries())
    expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(10 * MINUTE_MS)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

it('a price is stored even if the clock was ahead when the previous price was stored', async () => {
  const server = createServer((_, response) => response.end(JSON.stringify({ USD: '50000.5' })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  await begin({ ratesUrl: `http://${host}/prices` })
  const noted = () => world.database.read.notedPrice.findMany({ where: { source: host } })
  await vi.waitFor(async () => expect(await noted()).toHaveLength(1), 10_000)
  await note('40000', -24 * 60)
  await world.pass(25 * MINUTE_MS)
  await vi.waitFor(async () => expect((await noted()).length).toBeGreaterThan(1), 10_000)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

it('the exports of a pool and of a rewarded member contain values and reasons', async () => {
  await begin()
  await note('50000', 0)
  await world.fund('mod', 1_000)
  await world.tipping.pools.give({ guild, member: 'mod', amount: '500', origin: world.origin() })
  await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '400', period: 'day' })
  await world.tipping.balances.view('alice')
  const to = { id: 'alice', bot: false }
  await world.run(
    world.tipping.rewards.give({
      ...{ guild, member: 'mod', roles: ['mods'], to, amount: '300', reason: 'Heating' },
      origin: world.origin(),
    }),
  )
  expect(await world.tipping.pools.export({ guild, member: 'owner' })).toMatchObject([
    { what: 'gift', worth: { value: '0.2500' } },
    { what: 'reward', amount: -sats(300), reason: 'Heating', rule: undefined, worth: { value: '-0.1500', source } },
  ])
  expect(await exported()).toMatchObject([
    { what: 'reward', who: 'mod', reason: 'Heating', worth: { value: '0.1500' } },
  ])
})
