import type { Dispatcher } from 'undici'
import { FetchFailed, type GuardedFetch } from '../../src/lib/http/guarded-fetch.ts'
import { type Life, silence } from './crashing-database.ts'
import type { Network, Reply } from './network.ts'

export interface SimulatedRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** A server at an address of the simulated Internet. Throws the network's error. */
export type Server = (request: SimulatedRequest) => Promise<Reply>

export interface Road {
  readonly network: Network
  /** The life of the process that sends these requests: a dead process sends and receives nothing. */
  readonly life: Life
  readonly server: Server
}

/** Returns a dispatcher for the payments client: undici's `request`, through the simulated network. */
export function simulatedDispatcher({ network, life, server }: Road): Dispatcher {
  const request = async (options: Dispatcher.RequestOptions) => {
    if (life.over) return silence()
    const { method, path, origin, signal } = options
    const headers = options.headers as Record<string, string>
    const body = typeof options.body === 'string' ? options.body : undefined
    const asked = { method, url: new URL(`${origin}${path}`), headers, body }
    const reply = await network
      .carry({
        what: `${method} ${path}`,
        body,
        repeatable: method !== 'POST' || headers['idempotency-key'] !== undefined,
        signal: signal as AbortSignal,
        deliver: () => server(asked),
      })
      .catch((error: unknown) => (life.over ? silence() : Promise.reject(error)))
    if (life.over) return silence()
    return { statusCode: reply.status, headers: reply.headers, body: bytesOf(reply.body) }
  }
  return { request } as unknown as Dispatcher
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

/** Returns a `fetch` through the simulated network, for servers whose addresses strangers choose. */
export function simulatedFetch({ network, life, server }: Road): GuardedFetch {
  const fetch = async (text: string, request: Parameters<GuardedFetch>[1] = {}) => {
    if (life.over) return silence()
    const { method = 'GET', headers = {}, body, timeoutMs = 5_000 } = request
    const url = new URL(text)
    const asked = { method, url, headers, body: body?.toString() }
    try {
      const reply = await network.carry({
        what: `${method} ${url.pathname}`,
        repeatable: true,
        signal: network.timeLimit(timeoutMs),
        deliver: () => server(asked),
      })
      if (life.over) return silence()
      return { status: reply.status, headers: reply.headers, body: Buffer.from(reply.body) }
    } catch (error) {
      if (life.over) return silence()
      throw new FetchFailed('broken', `${url.host}: ${String(error)}`, true, error)
    }
  }
  return Object.assign(fetch, { for: () => fetch, close: async () => undefined })
}
