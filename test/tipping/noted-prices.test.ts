import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { TippingWorld } from './world.ts'

const guild = 'guild'
const MINUTE_MS = 60_000
let source: Server
let host: string
/** What a bitcoin costs in dollars; undefined while the source is silent. */
let price: string | undefined
let world: TippingWorld

beforeEach(async () => {
  price = '50000.5'
  source = createServer((_, response) => {
    if (price === undefined) response.writeHead(503).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ USD: price }))
  })
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(source.address() as AddressInfo).port}`
  world = await TippingWorld.open({ ratesUrl: `http://${host}/prices?key=secret` })
})

afterEach(async () => {
  await world.close()
  source.closeAllConnections()
  await new Promise((resolve) => source.close(resolve))
})

const exported = () => world.tipping.history.export('alice')

it('an export has what a booking was worth at its time, and who said so', async () => {
  await world.fund('alice', 1_000)
  const first = world.clock.now()
  price = '60000'
  await world.pass(11 * MINUTE_MS)
  await world.run(
    world.tipping.tips.send({
      ...{ from: 'alice', to: [{ id: 'bob', bot: false }] },
      amount: '7',
      note: 'Soup',
      origin: world.origin(),
    }),
  )
  const [deposit, tip] = await exported()
  const told = { currency: 'USD', source: host }
  expect(deposit).toMatchObject({ what: 'deposit', reason: '', rule: undefined })
  expect(deposit?.worth).toEqual({ ...told, value: '0.5000', price: '50000.5', at: new Date(first) })
  expect(tip).toMatchObject({ what: 'tip-sent', who: 'bob', reason: 'Soup', worth: { ...told, value: '-0.0042' } })
  expect(tip?.worth?.price).toBe('60000')
})

it('a booking without a price of the half hour before it has no value', async () => {
  await world.pass(MINUTE_MS)
  price = undefined
  await world.pass(29 * MINUTE_MS)
  await world.fund('alice', 10)
  await world.pass(2 * MINUTE_MS)
  await world.fund('alice', 20)
  const [before, after] = await exported()
  expect([before?.worth?.value, after?.worth]).toEqual(['0.0050', undefined])
})

it('a price is noted once in ten minutes, however often it is asked for', async () => {
  await world.pass(35 * MINUTE_MS)
  expect(await world.database.read.notedPrice.count()).toBe(4)
})

it('a pool’s export has values and reasons, as its receiver’s has', async () => {
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
  const lines = () => world.tipping.pools.export({ guild, member: 'owner' })
  expect(await lines()).toMatchObject([
    { what: 'gift', worth: { value: '0.2500' } },
    {
      what: 'reward',
      amount: -sats(300),
      reason: 'Heating',
      rule: undefined,
      worth: { value: '-0.1500', source: host },
    },
  ])
  expect(await exported()).toMatchObject([
    { what: 'reward', who: 'mod', reason: 'Heating', worth: { value: '0.1500' } },
  ])
})
