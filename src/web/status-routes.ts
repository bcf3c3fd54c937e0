import type { FastifyInstance } from 'fastify'
import { cached } from '../lib/cached.ts'
import type { Clock } from '../lib/clock.ts'
import type { Html } from '../lib/web/html.ts'
import type { StatusView } from '../tipping/tipping.ts'
import { sendPage } from './forms.ts'

export interface StatusRoutes {
  readonly view: () => Promise<StatusView>
  readonly testMoney: () => boolean
  /** Draws the page in the reader's language. */
  readonly page: (status: StatusView, acceptLanguage: string | undefined) => Html
  readonly clock: Clock
}

const CACHE_TTL_MS = 2_000
const POLICY = `default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`

/**
 * Adds the status as a page and as data. The books are read at most once every two seconds, so the status can be shown
 * to the whole world.
 */
export function addStatusRoutes(app: FastifyInstance, { view, testMoney, page, clock }: StatusRoutes): void {
  const read = cached({ clock, ttlMs: CACHE_TTL_MS, maxKeys: 1, read: view })
  app.get('/status', async (request, reply) => {
    reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store' })
    return sendPage(reply, page(await read(), request.headers['accept-language']))
  })
  app.get('/status.json', async (_, reply) =>
    reply.header('cache-control', 'no-store').send(statusData(await read(), testMoney())),
  )
}

/** Converts the status to data for programs: amounts in msats as decimal strings, times in ISO 8601. */
function statusData({ proven, inFlight, paused }: StatusView, testMoney: boolean) {
  return {
    testMoney,
    proven: proven && {
      at: proven.at.toISOString(),
      holds: proven.holds,
      owedMsats: proven.owed.toString(),
      walletMsats: proven.wallet?.toString() ?? null,
      expectedMsats: proven.expected.toString(),
      mayHaveLeftMsats: proven.mayHaveLeft.toString(),
      mayHaveArrivedMsats: proven.mayHaveArrived.toString(),
      root: proven.root,
    },
    inFlight: { count: inFlight.count, oldestSince: inFlight.oldestSince?.toISOString() ?? null },
    paused: paused !== undefined,
  }
}
