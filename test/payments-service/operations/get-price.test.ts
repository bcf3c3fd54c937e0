import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld | undefined
let source: Server
let answer: string

beforeEach(async () => {
  answer = JSON.stringify({ rates: { USD: '50000.25', EUR: 40_000 } })
  source = createServer((_, response) => response.end(answer))
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await world?.close()
  world = undefined
  source.closeAllConnections()
  await new Promise((resolve) => source.close(resolve))
})

/** Starts a service with this source of prices; returns its world, and a function that requests the price. */
async function service(ratesUrl: string | undefined) {
  const opened = await ServiceWorld.open({ settings: { ratesUrl } })
  world = opened
  const { apiKey } = await opened.project()
  return { world: opened, ask: () => opened.raw('GET', '/v0/btcusd', { apiKey }) }
}
const here = () => `http://127.0.0.1:${(source.address() as AddressInfo).port}/`

describe('Get Price', () => {
  it('200: returns the source’s price and its time as strings', async () => {
    const { world, ask } = await service(here())
    await world.until(async () => (await ask()).status === 200)
    const { json } = await ask()
    expect(Object.keys(json)).toEqual(['success', 'message', 'data'])
    const btcUsdTimestamp = String(Math.floor(world.clock.now() / 1_000))
    expect(json.data).toEqual({ btcUsdPrice: '50000.25', btcUsdTimestamp })
  })

  it('503 no_price: explains that no source is set', async () => {
    const { ask } = await service(undefined)
    const refused = await ask()
    expectRefusal(refused, 503, 'no_price')
    expect(refused.json.message).toContain('RATES_URL')
    expect(refused.headers.get('retry-after')).toBe('60')
  })

  it('503 no_price: is returned if the source has no dollar price', async () => {
    answer = JSON.stringify({ rates: { EUR: 40_000 } })
    const { world, ask } = await service(here())
    await world.until(() => world.service.parts.prices.quote('EUR') !== undefined)
    expectRefusal(await ask(), 503, 'no_price')
  })

  it('503 no_price: explains that the last price is more than 10 minutes old', async () => {
    const { world, ask } = await service(here())
    await world.until(async () => (await ask()).status === 200)
    answer = 'out of order'
    await world.clock.advance(11 * 60_000)
    const refused = await ask()
    expectRefusal(refused, 503, 'no_price')
    expect(refused.json.message).toContain('too long ago')
  })
})

itKeepsEveryPromise(operations.getPrice)
