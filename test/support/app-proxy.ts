import { request as ask, createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The cookie that a home server's login leaves in the browser. */
export const SIGNED_IN = 'UMBREL_PROXY_TOKEN=of-the-owner'

export interface AppProxy {
  /** The proxy's address, such as `http://127.0.0.1:41234`. */
  readonly url: string
  close(): Promise<void>
}

/**
 * A stand-in for Umbrel's `app_proxy`, as its README describes it: it requires the box's login except on the paths of
 * `whitelist`, keeps the browser's Host, overwrites X-Forwarded-*, and does not pass on the login's cookie.
 */
export async function startAppProxy(target: () => string, whitelist: readonly string[]): Promise<AppProxy> {
  const server = createServer((incoming, answer) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://box')
    const isOpen = whitelist.some((rule) => covers(rule, pathname))
    if (!isOpen && !cookiesOf(incoming).includes(SIGNED_IN)) {
      const login = `http://${incoming.headers.host?.split(':')[0]}:2000/?path=${encodeURIComponent(pathname)}`
      answer.writeHead(302, { location: login }).end()
      return
    }
    const headers = {
      ...incoming.headers,
      'x-forwarded-proto': 'http',
      'x-forwarded-host': incoming.headers.host,
      'x-forwarded-for': incoming.socket.remoteAddress,
      cookie: cookiesOf(incoming)
        .filter((cookie) => cookie !== SIGNED_IN)
        .join('; '),
    }
    const onward = ask(new URL(incoming.url ?? '/', target()), { method: incoming.method, headers }, (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers)
      came.pipe(answer)
    })
    onward.on('error', () => answer.writeHead(502).end())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => closeAll(server) }
}

/** Returns whether a rule matches a path: a bare path matches only itself, and `/path/*` everything below it. */
function covers(rule: string, pathname: string): boolean {
  return rule.endsWith('/*') ? pathname.startsWith(rule.slice(0, -1)) : pathname === rule
}

function cookiesOf({ headers }: IncomingMessage): string[] {
  return (headers.cookie ?? '').split(/; */).filter(Boolean)
}

async function closeAll(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
