import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGuardedFetch } from '../../src/lib/http/guarded-fetch.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { readPrices } from '../../src/lib/prices/read-prices.ts'
import { RateSource } from '../../src/tipping/core/rates.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { TippingWorld } from './world.ts'

let source: Server
let url: string
/** The source's answer: a body, or a status without one. */
let answer: string | number

beforeEach(async () => {
  answer = JSON.stringify({ rates: { USD: '50000', EUR: 40_000.5 } })
  source = createServer((_, response) => {
    if (typeof answer === 'number') response.writeHead(answer).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  })
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/prices`
})

afterEach(async () => {
  source.closeAllConnections()
  await new Promise((resolve) => source.close(resolve))
})

describe('the prices of a source', () => {
  it.each([
    ['{"rates":{"USD":"50000.25"}}', 'USD', 5_000_025n, 2],
    ['{"time":1893456000,"USD":43753,"EUR":40545}', 'EUR', 40_545n, 0],
    ['{"bitcoin":{"usd":64123.5,"last_updated_at":1893456000}}', 'USD', 641_235n, 1],
  ])('are read from %s', (text, currency, digits, scale) => {
    expect(readPrices(text).prices.get(currency)).toEqual({ digits, scale })
  })

  it.each([
    '',
    '[]',
    '{}',
    '"50000"',
    '{"USD":0}',
    '{"USD":-1}',
    '{"USD":1e400}',
    '{"rates":{"USD":"a lot"}}',
    '<html>',
  ])('are not found in “%s”', (text) => {
    expect(() => readPrices(text)).toThrow()
  })

  it('have the time that the source states', () => {
    const at = new Date(Date.UTC(2030, 0, 1))
    expect(readPrices('{"USD":1,"time":1893456000}').at).toEqual(at)
    expect(readPrices('{"rates":{"USD":1},"updatedAt":"2030-01-01T00:00:00Z"}').at).toEqual(at)
    expect(readPrices('{"USD":1,"time":"soon"}').at).toBeUndefined()
  })
})

describe('the source of prices', () => {
  const clock = new ManualClock()
  const fetch = createGuardedFetch({ allowLoopback: true })
  const open = () => new RateSource({ url, currency: 'USD', fetch, clock, logger: silentLogger })

  it('converts amounts to whole sats, and shows the value of sats', async () => {
    const rates = open()
    await rates.refresh()
    expect(rates.toMsats('USD', '5')).toBe(sats(10_000))
    expect(rates.toMsats('USD', '0.0004')).toBe(0n)
    expect(rates.toMsats('EUR', '1.99')).toBe(sats(4_974))
    expect(rates.inSats('USD', '5')).toBe(rates.toMsats('USD', '5'))
    expect(rates.inSats('CHF', '5')).toBeUndefined()
    expect(rates.fiatValue(sats(4_200))).toEqual({ value: 2.1, currency: 'USD', at: new Date(clock.now()) })
    expect(() => rates.toMsats('JPY', '1')).toThrow(expect.objectContaining({ code: 'amount-needs-rate' }))
  })

  it('keeps its last prices for 10 minutes if it fails', async () => {
    const rates = open()
    await rates.refresh()
    const at = new Date(clock.now())
    answer = 503
    await clock.advance(10 * 60_000)
    await rates.refresh()
    expect(rates.toMsats('USD', '5')).toBe(sats(10_000))
    await clock.advance(1)
    expect(rates.fiatValue(sats(1))).toBeUndefined()
    expect(rates.inSats('USD', '5')).toBeUndefined()
    expect(() => rates.toMsats('USD', '5')).toThrow(
      expect.objectContaining({ code: 'rate-stale', facts: { currency: 'USD', at } }),
    )
  })

  it('provides no price if it fails after the clock was set back', async () => {
    const rates = open()
    await rates.refresh()
    answer = 503
    clock.jump(-24 * 3_600_000)
    await rates.refresh()
    expect(() => rates.toMsats('USD', '5')).toThrow(expect.objectContaining({ code: 'rate-stale' }))
    answer = JSON.stringify({ rates: { USD: '40000' } })
    await rates.refresh()
    expect(rates.toMsats('USD', '4')).toBe(sats(10_000))
  })

  it('has no price for a currency once it omits that currency', async () => {
    const rates = open()
    await rates.refresh()
    answer = JSON.stringify({ rates: { USD: '40000' } })
    await rates.refresh()
    expect(rates.toMsats('USD', '4')).toBe(sats(10_000))
    expect(rates.inSats('EUR', '4')).toBeUndefined()
    expect(() => rates.toMsats('EUR', '4')).toThrow(expect.objectContaining({ code: 'amount-needs-rate' }))
  })

  it('is not used if its prices are more than 10 minutes old', async () => {
    const rates = open()
    answer = JSON.stringify({ USD: 50_000, time: clock.now() / 1_000 - 601 })
    await rates.refresh()
    expect(() => rates.toMsats('USD', '5')).toThrow(expect.objectContaining({ code: 'rate-stale' }))
  })
})

describe('an amount in a fiat currency', () => {
  it('is accepted for tips, withdrawals and deposits, and sats have a fiat value', async () => {
    const world = await TippingWorld.open({ ratesUrl: url, wallet: 1_000_000n })
    await world.fund('alice', 30_000)
    const origin = () => world.origin()
    await world.run(world.tip('alice', 'bob', '$5'))
    const asked = await world.run(world.tipping.withdrawals.ask({ member: 'alice', amount: '2 usd', origin: origin() }))
    expect(asked.amount).toBe(sats(4_000))
    const deposit = await world.run(world.tipping.deposits.open({ member: 'alice', amount: '€1', origin: origin() }))
    expect(deposit.amount).toBe(sats(2_499))
    expect(await world.available('alice')).toBe(sats(20_000))
    expect(world.tipping.fiatValue(sats(20_000))).toMatchObject({ value: 10, currency: 'USD' })
    await world.close()
  })

  it('is refused if no source of prices is configured', async () => {
    const world = await TippingWorld.open()
    await world.fund('alice', 1_000)
    const refused = expect.objectContaining({ code: 'amount-needs-rate', facts: { currency: 'USD' } })
    await expect(world.run(world.tip('alice', 'bob', '$5'))).rejects.toThrow(refused)
    expect(world.tipping.fiatValue(sats(1))).toBeUndefined()
    await world.close()
  })
})
