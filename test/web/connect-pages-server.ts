import { CONNECT_PAGE_POLICY, createConnectPages } from '../../src/bot/bot.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createWebServer, type WebServer } from '../../src/web/web-server.ts'
import type { TippingWorld } from '../tipping/world.ts'

const NAMES: Readonly<Record<string, { readonly shown: string; readonly username: string }>> = {
  alice: { shown: 'Alice <b>', username: 'alice' },
  bob: { shown: 'أليس', username: 'bob.2' },
}

/** Starts the web server of a bot whose members connect wallets of their own. */
export async function serveConnectPages(
  { tipping }: TippingWorld,
  moderates: () => boolean = () => true,
): Promise<WebServer> {
  const pages = createConnectPages(() => tipping, {
    moderates: async () => moderates(),
    nameOf: async (member) => NAMES[member],
    serverName: (server) => (server === 'guild' ? 'Lightning & Co' : undefined),
    communityName: () => 'Lightning Lounge',
  })
  return await createWebServer({
    ...{ tipping, port: 0, clock: systemClock, logger: silentLogger },
    connectPages: { pages, policy: CONNECT_PAGE_POLICY, publicUrl: undefined },
  })
}
