import { ASK_EVERY_MS } from '../lib/prices/price-source.ts'
import { startWorker, type Worker } from '../lib/worker.ts'
import type { ServiceParts } from './engine/service-parts.ts'

/** Asks the source of prices at the start and every minute. The source itself says in the log when it fails. */
export function startAskingForPrices({ prices, clock, logger }: ServiceParts): Worker {
  const failed = (error: unknown) => logger.warn({ err: error }, 'prices could not be asked for')
  return startWorker({ clock, round: () => prices.refresh(), pauseMs: ASK_EVERY_MS, firstInMs: 0, failed })
}
