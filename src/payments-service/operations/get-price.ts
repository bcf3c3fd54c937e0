import { decimalOf } from '../../lib/prices/read-prices.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'

/**
 * Get Price (additive): returns the price of a bitcoin in dollars from the operator's source, if this price is fresh.
 */
export const getPrice = implement(operations.getPrice, async ({ parts: { prices } }) => {
  const quote = prices.quote('USD')
  if (quote === undefined)
    throw noPrice(prices.configured ? 'The source names no price in dollars yet. Ask again in a minute.' : NO_SOURCE)
  if (!quote.fresh)
    throw noPrice(`The last price is from ${quote.at.toISOString()}, which is too long ago. Ask again in a minute.`)
  const btcUsdTimestamp = String(Math.floor(quote.at.getTime() / 1_000))
  return { message: 'Price retrieved.', data: { btcUsdPrice: decimalOf(quote.price), btcUsdTimestamp } }
})

const NO_SOURCE = 'This service has no source of prices. Its operator can name one (RATES_URL).'

function noPrice(why: string): ServiceRefusal {
  return new ServiceRefusal('no_price', why, { 'retry-after': '60' })
}
