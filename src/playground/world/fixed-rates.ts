import type { Clock } from '../../lib/clock.ts'
import { listen } from '../../lib/http/http-listen.ts'
import { createHttpServer } from '../../lib/http/http-server.ts'
import type { Logger } from '../../lib/logger.ts'

/**
 * Bitcoin's fixed prices in a playground, which are round so that people can check them in their heads. `$1` is 1,000
 * sats.
 */
const PRICES = { USD: 100_000, EUR: 80_000, GBP: 70_000 }

/** Starts a source of exchange rates with three made-up prices. It listens only on this machine, on any free port. */
export async function serveFixedRates(around: { logger: Logger; clock: Clock }): Promise<{
  readonly url: string
  close(): Promise<void>
}> {
  const app = createHttpServer({ ...around, closeTimeoutMs: 1_000 })
  app.get('/rates.json', async () => PRICES)
  const url = await listen(app, 0)
  return { url: `${url}/rates.json`, close: () => app.close() }
}
