import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

export interface FakeRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface FakeAnswer {
  readonly status: number
  readonly body: string
  readonly type?: string
}

/**
 * A fault of an answer. `cut-before`: the connection breaks before the node reads the request · `cut-after`: the node
 * carries out the request, and its answer breaks off in the middle · `hang`: the node carries out the request, and
 * never answers · `html`: an HTML page replaces the answer · `oversized`: the answer has no end.
 */
export type WireFault = 'cut-before' | 'cut-after' | 'hang' | 'html' | 'oversized'

type Handler = (request: FakeRequest) => Promise<FakeAnswer>

/** An HTTP server on loopback that answers as a node would, with connection faults on request. */
export class FakeHttp {
  readonly requests: FakeRequest[] = []
  /** Returns the changed text of an answer, before it is sent. */
  rewrite: (body: string, path: string) => string = (body) => body
  /** A function that takes over connections that switch to another protocol, such as WebSocket. */
  upgrade: ((request: IncomingMessage, socket: Socket, head: Buffer) => void) | undefined
  readonly #handler: Handler
  readonly #tls: { readonly key: string; readonly cert: string } | undefined
  readonly #sockets = new Set<Socket>()
  readonly #awaited = new Set<{ readonly path: string; readonly tell: () => void }>()
  readonly #faults: { readonly fault: WireFault; readonly path: string }[] = []
  #server: Server | undefined
  #port = 0

  constructor(handler: Handler, tls?: { readonly key: string; readonly cert: string }) {
    this.#handler = handler
    this.#tls = tls
  }

  get url(): string {
    return `${this.#tls === undefined ? 'http' : 'https'}://127.0.0.1:${this.#port}`
  }

  /** Plans this fault for the next request with this path suffix. */
  next(fault: WireFault, path = ''): void {
    this.#faults.push({ fault, path })
  }

  /** Resolves when the node starts to handle the next request with this path suffix. */
  reached(path: string): Promise<void> {
    return new Promise((resolve) => {
      const one = {
        path,
        tell: () => {
          this.#awaited.delete(one)
          resolve()
        },
      }
      this.#awaited.add(one)
    })
  }

  async start(): Promise<void> {
    const listener = (request: IncomingMessage, response: ServerResponse) => {
      void this.#serve(request, response)
    }
    const server = this.#tls === undefined ? createServer(listener) : createTlsServer(this.#tls, listener)
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => this.#sockets.delete(socket))
    })
    const { upgrade } = this
    if (upgrade !== undefined) {
      server.on('upgrade', (request, socket, head) => upgrade(request, socket as Socket, head))
    }
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
  }

  /**
   * Stops the server as if by SIGKILL: every connection breaks. The server can be started again, at the same address.
   */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of incoming) body += chunk
    const url = new URL(incoming.url ?? '/', 'http://fake')
    const { method = 'GET', headers } = incoming
    const request = { method, path: url.pathname, query: url.searchParams, headers, body }
    this.requests.push(request)
    for (const one of [...this.#awaited]) if (request.path.endsWith(one.path)) one.tell()
    const fault = this.#take(request.path)
    if (fault === 'cut-before') return void incoming.socket.destroy()
    if (fault === 'html') {
      response.writeHead(200, { 'content-type': 'text/html' })
      return void response.end('<!doctype html><title>Router login</title>')
    }
    const told = await this.#handler(request)
    const answer = { ...told, body: this.rewrite(told.body, request.path) }
    if (fault === 'hang' || response.destroyed) return
    if (fault === 'cut-after') return this.#breakOff(response, answer)
    if (fault === 'oversized') return pourOut(response)
    response.writeHead(answer.status, { 'content-type': answer.type ?? 'application/json' })
    response.end(answer.body)
  }

  #take(path: string): WireFault | undefined {
    const at = this.#faults.findIndex((one) => path.endsWith(one.path))
    return at < 0 ? undefined : this.#faults.splice(at, 1)[0]?.fault
  }

  #breakOff(response: ServerResponse, { status, body }: FakeAnswer): void {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy())
  }
}

function pourOut(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const pour = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  }
  response.on('drain', pour)
  pour()
}
