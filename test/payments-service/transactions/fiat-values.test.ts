import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'

let source: Server
let price: string
/** The time that the source states for its price, in seconds since 1970. */
let time: number | undefined
let isDown: boolean
let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  price = '50000.25'
  time = undefined
  isDown = false
  source = createServer((_, response) => {
    response.statusCode = isDown ? 503 : 200
    response.end(JSON.stringify({ time, rates: { USD: price, EUR: '40000' } }))
  })
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
  const ratesUrl = `http://127.0.0.1:${(source.address() as AddressInfo).port}/`
  world = await ServiceWorld.open({ settings: { ratesUrl } })
  await world.until(async () => (await prices()).length === 1)
  project = await world.project(sats(0))
  await world.user('alice')
})
afterEach(async () => {
  source.closeAllConnections()
  await new Promise((resolve) => source.close(resolve))
})

const prices = () => world.service.parts.database.read.notedPrice.findMany({ orderBy: { at: 'asc' } })
const minutes = async (count: number) => {
  for (let minute = 0; minute < count; minute += 1) {
    await world.clock.advance(60_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
/** Lets minutes pass until the condition holds. The service asks the source again a minute after an answer. */
const later = (holds: () => boolean | Promise<boolean>) =>
  world.until(async () => {
    await minutes(1)
    return await holds()
  })
const noted = (count: number) => later(async () => (await prices()).length === count)
const fund = () => world.administration.fundProject(project.projectId, sats(2_000))
const listed = async () => (await project.client.listTransactions()).data.transactions
const values = async () => (await listed()).map(({ fiatValue, fiatCurrency }) => [fiatValue, fiatCurrency])

it('each booking shows its fiat value at the time of the booking', async () => {
  await fund()
  await project.client.payToGamertag({ gamertag: 'alice', amount: sats(1), description: '' })
  price = '100000'
  await minutes(9)
  await noted(2)
  await fund()
  expect(await values()).toEqual([
    ['2.0000', 'USD'],
    ['0.0005', 'USD'],
    ['1.0000', 'USD'],
  ])
})

it('a booking made while no price is known has no fiat value, even later', async () => {
  isDown = true
  await minutes(31)
  await fund()
  expect(await values()).toEqual([[null, null]])
  isDown = false
  await noted(2)
  expect(await values()).toEqual([[null, null]])
})

it('the CSV has columns for the fiat value and its currency, empty if unknown', async () => {
  await fund()
  isDown = true
  await minutes(31)
  await fund()
  const { text } = await world.raw('GET', '/v0/transactions', {
    apiKey: project.apiKey,
    headers: { accept: 'text/csv' },
  })
  const [columns, unknown, known] = text.split('\r\n')
  expect(columns).toMatch(/,resourceId,internalId,fiatValue,fiatCurrency$/)
  expect(unknown).toMatch(/,,$/)
  expect(known).toMatch(/,1\.0000,USD$/)
})

it('a price is recorded every ten minutes, even if it is unchanged', async () => {
  await minutes(9)
  expect(await prices()).toHaveLength(1)
  await noted(2)
  const [first, second] = await prices()
  for (const each of [first, second]) expect(each).toMatchObject({ currency: 'USD', price: '50000.25' })
  expect(Number(second?.at) - Number(first?.at)).toBeLessThanOrEqual(12 * 60_000)
})

it('a stale price is not recorded', async () => {
  isDown = true
  await minutes(30)
  isDown = false
  const stale = world.clock.now() - 11 * 60_000
  time = stale / 1_000
  await later(() => world.service.parts.prices.quote('USD')?.at.getTime() === stale)
  time = undefined
  await noted(2)
  expect((await prices())[1]?.at.getTime()).toBeGreaterThan(stale)
})
