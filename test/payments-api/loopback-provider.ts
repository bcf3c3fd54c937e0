import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface SeenRequest {
  readonly method: string
  /** The path and query as on the request line, not decoded. */
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Behaviour = (request: SeenRequest, response: ServerResponse, socket: Socket) => void

export interface LoopbackProvider {
  readonly baseUrl: string
  readonly seen: SeenRequest[]
  /** Sets the answers to the next requests; the last answer is repeated. */
  answer(...behaviours: Behaviour[]): void
  /** Resolves when `count` requests have arrived. */
  arrived(count: number): Promise<void>
  close(): Promise<void>
}

/** Starts a provider on loopback that behaves as a test tells it to, and records its requests. */
export async function startLoopbackProvider(): Promise<LoopbackProvider> {
  const seen: SeenRequest[] = []
  let queue: Behaviour[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
      seen.push(one)
      const behaviour = queue.length > 1 ? queue.shift() : queue[0]
      behaviour?.(one, response, request.socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    answer: (...behaviours) => {
      queue = behaviours
    },
    arrived: async (count) => {
      while (seen.length < count) await new Promise((resolve) => setImmediate(resolve))
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Returns a behaviour that answers with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Behaviour {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
}

/** Returns a behaviour that answers in the error shape. */
export function refusal(
  status: number,
  code: string | undefined,
  message = 'No.',
  headers: Record<string, string> = {},
) {
  return json(status, { success: false, message, ...(code !== undefined && { code }) }, headers)
}

/** Returns a behaviour that answers with a text of any kind, sent as HTML. */
export function plain(status: number, body: string, headers: Record<string, string> = {}): Behaviour {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
  }
}

export const hang: Behaviour = () => undefined

/** A behaviour that ends the connection without an answer. */
export const reset: Behaviour = (_request, _response, socket) => socket.resetAndDestroy()

/** A behaviour that announces more bytes than it sends. */
export const halfAnAnswer: Behaviour = (_request, _response, socket) => {
  socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"success":true,"data":{')
}
