import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A callback that arrived. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the wire carries; tests look into it
  readonly json: any
}

/** A server that receives callbacks and answers as the test tells it to. */
export class CallbackReceiver {
  readonly received: Received[] = []
  /** Returns the status of the answer to a callback; undefined for no answer at all. */
  answer: (callback: Received) => number | undefined = () => 204
  /** Ends the response after its status was sent; a test can replace this. */
  end: (response: ServerResponse) => void = (response) => response.end()
  readonly #server: Server

  private constructor() {
    this.#server = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const callback = { path: request.url ?? '', headers: request.headers, text, json: JSON.parse(text) }
      this.received.push(callback)
      const status = this.answer(callback)
      if (status !== undefined) this.end(response.writeHead(status))
    })
  }

  static async open(): Promise<CallbackReceiver> {
    const receiver = new CallbackReceiver()
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  url(path = '/callback'): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
