import type { FastifyInstance } from 'fastify'
import { type Clock, systemClock } from '../lib/clock.ts'
import { listenOrNext } from '../lib/http/http-listen.ts'
import { createHttpServer, HttpProblem } from '../lib/http/http-server.ts'
import { isMachineHost } from '../lib/http/machine-host.ts'
import type { Logger } from '../lib/logger.ts'
import { serveAssets } from './page-server/assets.ts'
import { serveBooks } from './page-server/books.ts'
import { serveCdn } from './page-server/cdn.ts'
import { serveConversations } from './page-server/conversations.ts'
import { serveEvents } from './page-server/events.ts'
import type { PageWorld } from './page-server/page-world.ts'
import { servePeople } from './page-server/people.ts'
import { servePhone } from './page-server/phone.ts'

export interface PageServerOptions {
  readonly world: PageWorld
  /** The preferred port. If another program has it, the server takes the next free port. 0 means any port. */
  readonly port: number
  readonly host?: string
  readonly logger: Logger
  readonly clock?: Clock
}

export interface PageServer {
  /** The page's address for a browser on this machine. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the playground's page and its data: a person's view of the emulated Discord, the phone, the books, the wire. A
 * caller can act as anybody in the world, so the server belongs on loopback. Each request names its person in the
 * header `x-person`, so two tabs can be two people.
 */
export async function createPageServer(options: PageServerOptions): Promise<PageServer> {
  const { world, logger, clock = systemClock } = options
  const app = createHttpServer({ logger, clock, closeTimeoutMs: 2_000 })
  refuseForeignNames(app)
  const events = serveEvents(app, world, clock)
  servePeople(app, world, clock)
  serveConversations(app, world)
  servePhone(app, world, { clock, onPartsChanged: () => events.tellParts() })
  serveBooks(app, world)
  serveCdn(app, world)
  serveAssets(app)
  app.get('/health', async () => ({ status: 'ok' }))
  const url = await listenOrNext(app, options.port, options.host)
  return {
    url,
    async close() {
      events.close()
      await app.close()
    },
  }
}

/**
 * Refuses requests to a domain name, because they could come from a foreign page. Such a page must neither act as
 * people in the world nor call this machine's servers through the phone.
 */
function refuseForeignNames(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers: { host } }) => {
    if (isMachineHost(host)) return
    const message = 'The playground answers only at an IP address and at localhost. Use one of them.'
    throw new HttpProblem(403, 'foreign_host', message)
  })
}
