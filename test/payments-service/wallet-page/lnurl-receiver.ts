import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Msats } from '../../../src/lib/amount.ts'
import { buildMetadata, descriptionHash } from '../../../src/lib/lnurl-messages.ts'
import type { SandboxNetwork } from '../../../src/payments-service/backends/sandbox/sandbox-network.ts'

/** A shop of the outside world with a Lightning Address, which may lie about its invoices. */
export class LnurlReceiver {
  misbehave: { readonly amount?: Msats; readonly hash?: string } = {}
  readonly asked: Record<string, string>[] = []
  readonly #server: Server
  readonly #sandbox: SandboxNetwork

  private constructor(sandbox: SandboxNetwork) {
    this.#sandbox = sandbox
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', this.#origin)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(url.pathname === '/pay' ? this.#invoice(url) : this.#offer()))
    })
  }

  static async open(sandbox: SandboxNetwork): Promise<LnurlReceiver> {
    const receiver = new LnurlReceiver(sandbox)
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  get address(): string {
    return `shop@${new URL(this.#origin).host}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get #metadata(): string {
    return buildMetadata({ description: 'A shop', identifier: this.address })
  }

  #offer() {
    const callback = `${this.#origin}/pay`
    const [minSendable, maxSendable] = [1_000, 1_000_000_000]
    return { tag: 'payRequest', callback, minSendable, maxSendable, metadata: this.#metadata, commentAllowed: 100 }
  }

  #invoice(url: URL) {
    const asked = Object.fromEntries(url.searchParams)
    this.asked.push(asked)
    const amount = this.misbehave.amount ?? (BigInt(asked.amount ?? '0') as Msats)
    const hash = this.misbehave.hash ?? descriptionHash(this.#metadata)
    return { pr: this.#sandbox.outside.createInvoice({ amount, description: { hash } }).invoice, routes: [] }
  }
}
