import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A network connection between bot and service that can hold up an answer. */
export class SlowRoad {
  readonly #server: Server
  readonly #target: string
  #hold: { path: string; reached: () => void } | undefined
  readonly #held: ServerResponse[] = []

  private constructor(target: string) {
    this.#target = target
    this.#server = createServer((request, response) => void this.#pass(request, response))
  }

  static async open(target: string): Promise<SlowRoad> {
    const road = new SlowRoad(target)
    await new Promise<void>((resolve) => road.#server.listen(0, '127.0.0.1', resolve))
    return road
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /**
   * Lets the target carry out the next request to this path, but holds up the answer. Resolves as soon as the target
   * has answered.
   */
  holdNextAnswer(path: string): Promise<void> {
    return new Promise((resolve) => {
      this.#hold = { path, reached: resolve }
    })
  }

  /** Breaks the connections whose answers are held up. */
  dropHeld(): void {
    for (const response of this.#held.splice(0)) response.destroy()
  }

  async close(): Promise<void> {
    this.dropHeld()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const headers = Object.fromEntries(
      Object.entries(request.headers).flatMap(([name, value]) =>
        typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name) ? [[name, value]] : [],
      ),
    )
    try {
      const answer = await fetch(this.#target + request.url, {
        method: request.method,
        headers,
        body: body.length > 0 ? new Uint8Array(body) : undefined,
      })
      const text = await answer.text()
      if (this.#hold && request.url === this.#hold.path) {
        this.#held.push(response)
        this.#hold.reached()
        this.#hold = undefined
        return
      }
      const stored = ['content-type', 'idempotency-replayed', 'retry-after', 'x-should-retry']
      for (const name of stored) {
        const value = answer.headers.get(name)
        if (value !== null) response.setHeader(name, value)
      }
      response.writeHead(answer.status).end(text)
    } catch {
      response.destroy()
    }
  }
}
