import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildMetadata, descriptionHash, errorAnswer } from '../../../src/lib/lightning/lnurl-messages.ts'
import type { SuccessAction } from '../../../src/lib/lightning/success-action.ts'
import type { Msats } from '../../../src/lib/money/amount.ts'
import type { SandboxNetwork } from '../../../src/payments-service/backends/sandbox/sandbox-network.ts'
import { lockText } from '../../support/locked-text.ts'

/** A shop outside with a Lightning Address, which can lie about its invoices, and with a code that pays. */
export class LnurlReceiver {
  misbehave: { readonly amount?: Msats; readonly hash?: string } = {}
  /** The message for the payer (LUD-09). */
  successAction: SuccessAction | undefined
  /** A text that each payment's preimage unlocks (LUD-10). */
  secret: string | undefined
  /** The status of every answer; a status other than 200 comes with a page instead of an answer. */
  status = 200
  wholeSatsOnly = false
  /** The answer to claims of the withdraw code: paid, refused with a reason, or none at all. */
  claims: 'pay' | 'refuse' | 'vanish' = 'pay'
  /** The data that the shop requests from the payer (LUD-18). */
  payerData: object | undefined
  readonly asked: Record<string, string>[] = []
  readonly #server: Server
  readonly #sandbox: SandboxNetwork

  private constructor(sandbox: SandboxNetwork) {
    this.#sandbox = sandbox
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', this.#origin)
      response.setHeader('content-type', 'application/json')
      if (this.status !== 200) response.writeHead(this.status).end('<html>')
      else if (url.pathname === '/claim') void this.#claim(url, response)
      else response.end(JSON.stringify(this.#answer(url)))
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

  /** Returns a code that pays from 100 to 500 sats (LUD-17). */
  get withdrawCode(): string {
    return `lnurlw://${new URL(this.#origin).host}/withdraw`
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

  #answer(url: URL) {
    if (url.pathname === '/pay') return this.#invoice(url)
    if (url.pathname === '/withdraw') return this.#withdrawal()
    return this.#offer()
  }

  #withdrawal() {
    const [callback, k1] = [`${this.#origin}/claim`, 'k1']
    const [minWithdrawable, maxWithdrawable] = [100_000, 500_000]
    return { tag: 'withdrawRequest', callback, k1, defaultDescription: 'A prize', minWithdrawable, maxWithdrawable }
  }

  async #claim(url: URL, response: ServerResponse): Promise<void> {
    if (this.claims === 'refuse') return void response.end(JSON.stringify(errorAnswer('Somebody was faster.')))
    await this.#sandbox.outside.pay(url.searchParams.get('pr') ?? '')
    if (this.claims === 'vanish') response.destroy()
    else response.end(JSON.stringify({ status: 'OK' }))
  }

  #offer() {
    const callback = `${this.#origin}/pay`
    const [minSendable, maxSendable] = [1_000, 1_000_000_000]
    const metadata = this.#metadata
    const { payerData } = this
    return { tag: 'payRequest', callback, minSendable, maxSendable, metadata, commentAllowed: 100, payerData }
  }

  #invoice(url: URL) {
    const asked = Object.fromEntries(url.searchParams)
    this.asked.push(asked)
    const amount = this.misbehave.amount ?? (BigInt(asked.amount ?? '0') as Msats)
    const hash = this.misbehave.hash ?? descriptionHash(this.#metadata)
    if (this.wholeSatsOnly && amount % 1_000n !== 0n) return errorAnswer('Whole sats, please.')
    const description = { text: this.#metadata, hash }
    const { invoice: pr, preimage = '' } = this.#sandbox.outside.createInvoice({ amount, description })
    const locked = this.secret === undefined ? undefined : lockText(this.secret, preimage)
    return { pr, routes: [], successAction: locked ?? this.successAction }
  }
}
