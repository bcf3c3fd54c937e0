import { ASK_EVERY_MS } from '../lib/prices/price-source.ts'
import { startWorker, type Worker } from '../lib/worker.ts'
import type { ServiceParts } from './engine/service-parts.ts'
import { notePrice } from './transactions/fiat-values.ts'

/**
 * Fetches prices from their source at the start and then every minute, and records the prices at which bookings are
 * valued. The source logs its own failures.
 */
export function startAskingForPrices(parts: ServiceParts): Worker {
  const { prices, clock, logger } = parts
  const failed = (error: unknown) => logger.warn({ err: error }, 'prices could not be fetched or stored')
  const round = () => prices.refresh().then(() => notePrice(parts))
  return startWorker({ clock, round, pauseMs: ASK_EVERY_MS, firstInMs: 0, failed })
}
