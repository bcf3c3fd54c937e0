import { Agent, request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How often it asks each server whether it is ready. */
const LOOK_EVERY_MS = 100

/** A balancer as operators have one: it asks each server whether it is ready, and passes requests on to those that are, in turn. */
export interface Balancer {
  readonly url: string
  /** Of the servers behind it, those that were ready when it last looked. */
  readonly ready: ReadonlySet<string>
  /** How many requests each server was passed. */
  readonly passed: ReadonlyMap<string, number>
  /** From now on passes everything to this server while it is ready; undefined: to all by turns again. */
  prefer(server: string | undefined): void
  close(): Promise<void>
}

/**
 * `servers`: their addresses, such as `http://127.0.0.1:8787`; `path`: where each says whether it is ready. A request that a
 * server does not answer is a 502.
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
