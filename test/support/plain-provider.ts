import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Our service's additions to the interface: a provider that offers only the interface lacks these paths. */
const ADDITIVE_PATHS: readonly [method: string, path: RegExp][] = [
  ['POST', /^\/v0\/redeem-voucher$/],
  ['GET', /^\/v0\/gamertag\/charges\/[^/]+$/],
  ['GET', /^\/v0\/static-charges\/[^/]+\/payments\/[^/]+$/],
]
/** The request fields that such a provider refuses. */
const ADDITIVE_FIELDS = ['maxFee', 'receiverId']
/** The headers that such a provider ignores and does not send. */
const ADDITIVE_HEADERS = ['idempotency-key', 'idempotency-replayed', 'x-should-retry']

/**
 * A provider as if written from the interface alone: a server on loopback in front of our service that supports no
 * Idempotency-Key and no additional operations, fields or error codes.
 */
export class PlainProvider {
  /** The requests that the provider received. */
  readonly asked: string[] = []
  /** The fields outside the interface that callers sent anyway. */
  readonly refused: string[] = []
  readonly #target: () => string
  readonly #server: Server

  private constructor(target: () => string) {
    this.#target = target
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  static async open(target: () => string): Promise<PlainProvider> {
    const provider = new PlainProvider(target)
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve))
    return provider
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    this.asked.push(`${method} ${url}`)
    let text = ''
    for await (const chunk of request) text += chunk
    const body: object = text === '' ? {} : JSON.parse(text)
    const extra = ADDITIVE_FIELDS.find((field) => field in body)
    if (extra !== undefined) {
      this.refused.push(extra)
      return say(response, 400, { success: false, message: `There is no field "${extra}".` })
    }
    if (ADDITIVE_PATHS.some(([verb, path]) => verb === method && path.test(url))) {
      return say(response, 404, { success: false, message: 'Not found.' })
    }
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) {
      if (typeof value === 'string' && !ADDITIVE_HEADERS.includes(name) && !HOP.includes(name)) headers.set(name, value)
    }
    const answer = await fetch(this.#target() + url, { method, headers, ...(text === '' ? {} : { body: text }) })
    say(response, answer.status, plain(url, (await answer.json()) as Record<string, unknown>))
  }
}

/** The headers that belong to a connection, not to a request. */
const HOP = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']

/** Removes the fields of an answer that are not part of the interface. */
function plain(url: string, { code: _, ...body }: Record<string, unknown>): object {
  if (url.includes('voucher') && typeof body.data === 'object') {
    const { withdraw: __, ...data } = body.data as Record<string, unknown>
    return { ...body, data }
  }
  if (url !== '/v0/gamertag/charges' || typeof body.data !== 'object') return body
  const { id: __, ...data } = body.data as Record<string, unknown>
  return { ...body, data }
}

function say(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
