import { Agent, request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The time between the balancer's checks of each server's readiness. */
const LOOK_EVERY_MS = 100

/**
 * A load balancer such as operators use: it checks each server's readiness, and passes requests in turn to the ready
 * ones.
 */
export interface Balancer {
  readonly url: string
  /** The servers that were ready at the last check. */
  readonly ready: ReadonlySet<string>
  /** How many requests each server received. */
  readonly passed: ReadonlyMap<string, number>
  /**
   * Passes every request to this server from now on, while the server is ready; if undefined, to all ready servers in
   * turn again.
   */
  prefer(server: string | undefined): void
  close(): Promise<void>
}

/**
 * Starts a balancer. `servers`: the addresses of the servers, such as `http://127.0.0.1:8787`; `path`: their readiness
 * check. If a server does not answer, the balancer answers 502.
 */
export async function balance(servers: readonly string[], path = '/ready/instance'): Promise<Balancer> {
  const ready = new Set<string>()
  const passed = new Map<string, number>()
  let preferred: string | undefined
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  let closed = false
  const look = async (server: string) => {
    const answer = await fetch(`${server}${path}`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    if (answer?.ok) ready.add(server)
    else ready.delete(server)
  }
  const watch = async (server: string) => {
    while (!closed) {
      await look(server)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
  }
  const proxy = createServer((request: IncomingMessage, response: ServerResponse) => {
    turn += 1
    const server = preferred !== undefined && ready.has(preferred) ? preferred : [...ready][turn % ready.size]
    const refuse = () => {
      if (!response.headersSent) response.writeHead(502)
      response.end()
    }
    if (server === undefined) return refuse()
    passed.set(server, (passed.get(server) ?? 0) + 1)
    const { method, headers, url = '/' } = request
    const onward = ask(new URL(url, server), { agent, headers, ...(method !== undefined && { method }) }, (answer) => {
      const { connection: _, ...kept } = answer.headers
      response.writeHead(answer.statusCode ?? 502, kept)
      answer.pipe(response)
      answer.on('error', refuse)
    })
    onward.on('error', refuse)
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const watches = servers.map(watch)
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    ready,
    passed,
    prefer(server) {
      preferred = server
    },
    async close() {
      closed = true
      await Promise.all(watches)
      agent.destroy()
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
