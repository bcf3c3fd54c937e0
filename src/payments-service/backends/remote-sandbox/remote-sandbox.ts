import type { Clock } from '../../../lib/clock.ts'
import { FetchFailed } from '../../../lib/http/outgoing-error.ts'
import type {
  BackendCapabilities,
  CreatedInvoice,
  InvoiceRequest,
  InvoiceStatus,
  KeysendRequest,
  LightningBackend,
  NodeBalances,
  NodeHealth,
  NodeInfo,
  OddRecord,
  PaymentLookUp,
  PaymentOutcome,
  PayRequest,
  Settlement,
} from '../backend.ts'
import { isOdd } from '../node-answers.ts'
import { createNodeHttp } from '../node-http.ts'
import { SANDBOX_CAPABILITIES } from '../sandbox/our-node.ts'
import { RemoteSandboxApi, SandboxRefusal, SandboxUnreadable } from './remote-sandbox-api.ts'

export interface RemoteSandboxOptions {
  /** The address of the sandbox (`npm run sandbox`), without a trailing slash. */
  readonly url: string
  /** The token in the file `sandbox-token`, which is in the sandbox's data folder. */
  readonly token: string
}

export interface RemoteSandbox extends LightningBackend {
  /** Adds addresses of this service at which the outside wallet can reach LNURL. Each hello contains all of them. */
  serveAt(...urls: readonly string[]): void
}

/** Creates the backend of a sandbox in its own process. The backend connects at its first use. */
export function createRemoteSandbox(options: RemoteSandboxOptions, { clock }: { clock: Clock }): RemoteSandbox {
  const http = createNodeHttp({ baseUrl: options.url, clock })
  return new OverHttp(new RemoteSandboxApi(http, options.token), options.url)
}

const HEALTH_TIMEOUT_MS = 4_000
/**
 * The time limit of a stream, which may be half open by then. After a check of the node's identity, the stream is
 * reopened.
 */
const STREAM_MS = 300_000

class OverHttp implements RemoteSandbox {
  readonly kind = 'sandbox'
  readonly capabilities: BackendCapabilities = SANDBOX_CAPABILITIES
  readonly #api: RemoteSandboxApi
  /** The sandbox's address, for error messages. */
  readonly #url: string
  #serves: readonly string[] = []

  constructor(api: RemoteSandboxApi, url: string) {
    this.#api = api
    this.#url = url
  }

  serveAt(...urls: readonly string[]): void {
    this.#serves = [...new Set([...this.#serves, ...urls])]
    // If the sandbox is unreachable, the next health check reports it.
    void this.#api.hello(this.#serves).catch(() => undefined)
  }

  info(): Promise<NodeInfo> {
    return this.#api.hello(this.#serves)
  }

  async health(): Promise<NodeHealth> {
    try {
      await this.#api.hello(this.#serves, HEALTH_TIMEOUT_MS)
      return { state: 'ready' }
    } catch (error) {
      return explain(error, this.#url)
    }
  }

  balances(): Promise<NodeBalances> {
    return this.#api.balances()
  }

  tariff(): undefined {
    return undefined
  }

  async createInvoice(request: InvoiceRequest): Promise<CreatedInvoice> {
    const { preimage, ...made } = await this.#api.createInvoice(request)
    return preimage === undefined ? made : { ...made, preimage }
  }

  async lookUpInvoice(paymentHash: string): Promise<InvoiceStatus | undefined> {
    try {
      return await this.#api.lookUpInvoice(paymentHash)
    } catch (error) {
      if (error instanceof SandboxRefusal && error.code === 'not_found') return undefined
      throw error
    }
  }

  async cancelInvoice(paymentHash: string): Promise<'canceled' | 'settled' | 'unknown'> {
    return (await this.#api.cancelInvoice(paymentHash)).end
  }

  pay(request: PayRequest): Promise<PaymentOutcome> {
    return orUnknown(this.#api.pay(request))
  }

  keysend(request: KeysendRequest): Promise<PaymentOutcome> {
    return orUnknown(this.#api.keysend(request))
  }

  lookUpPayment(paymentHash: string): Promise<PaymentLookUp> {
    return this.#api.lookUpPayment(paymentHash)
  }

  async *settledInvoices(cursor: string | undefined, signal: AbortSignal): AsyncGenerator<Settlement | OddRecord> {
    const { pubkey } = await this.info()
    for (let after = cursor; !signal.aborted; ) {
      try {
        for await (const settlement of this.#api.settlements(after, { timeoutMs: STREAM_MS, signal })) {
          yield settlement
          if (!isOdd(settlement)) after = settlement.cursor
        }
        if (!signal.aborted) throw new Error('the sandbox ended the stream of settlements')
      } catch (error) {
        if (!(error instanceof FetchFailed) || error.reason !== 'timeout') throw error
      }
      if (signal.aborted) return
      const now = (await this.info()).pubkey
      if (now !== pubkey) throw new Error(`another sandbox answers: ${now} instead of ${pubkey}`)
    }
  }

  async close(): Promise<void> {
    await this.#api.close()
  }
}

/**
 * Resolves to the outcome, or to `unknown` after any error, because an earlier call with the same hash may be under
 * way.
 */
function orUnknown(outcome: Promise<PaymentOutcome>): Promise<PaymentOutcome> {
  return outcome.catch((error: unknown) => ({ state: 'unknown', evidence: String(error) }))
}

/** Explains to the operator why the sandbox did not answer as expected. */
function explain(error: unknown, url: string): Exclude<NodeHealth, { state: 'ready' }> {
  const details = error instanceof Error ? error.message : String(error)
  if (error instanceof SandboxRefusal && error.code === 'missing_token') {
    const reason = `The sandbox at ${url} does not accept the token. Set SANDBOX_TOKEN_FILE to the file sandbox-token in the data folder of "npm run sandbox", or to a copy of it.`
    return { state: 'refused', reason }
  }
  if (error instanceof SandboxRefusal && error.code === 'foreign_host') {
    const reason = `The sandbox does not know that it is reached at ${url}. Set SANDBOX_URL=${url} where "npm run sandbox" runs, too.`
    return { state: 'refused', reason }
  }
  if (error instanceof SandboxRefusal || error instanceof SandboxUnreadable) {
    const reason = `What answers at ${url} is not a sandbox of Satchel. Set SANDBOX_URL to the address that "npm run sandbox" shows. Details: ${details}`
    return { state: 'away', reason }
  }
  if (error instanceof FetchFailed && error.reason === 'tls') {
    const reason = `The certificate of ${url} cannot be trusted. Give the proxy before the sandbox one that this machine accepts. Details: ${details}`
    return { state: 'refused', reason }
  }
  const reason = `The sandbox does not answer at ${url}. Start it with "npm run sandbox", and check SANDBOX_URL. Details: ${details}`
  return { state: 'away', reason }
}
