import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { LndMethod } from '../../../../src/payments-service/backends/lnd/lnd-rights.ts'
import { ONE_CERTIFICATE } from '../../../support/certificates.ts'
import { type FakeInvoice, FakeNetwork, type FakePayment, Refused } from './fake-network.ts'

export const MACAROON = '0201036c6e64'

/** A fault of an answer, after the request was carried out. */
export type WireFault = 'breaks-off' | 'html' | 'never-answers'

/** The most records on a page: fewer than in lnd, so that a few invoices fill several pages. */
const MAX_PAGE = 2

/** The HTTP statuses of gRPC codes, as grpc-gateway maps them. */
const STATUSES: Readonly<Record<number, number>> = { 2: 500, 3: 400, 5: 404, 6: 409, 14: 503 }

/**
 * lnd's REST interface, written from its documentation and from answers of lnd 0.21.2: 64-bit numbers as strings, bytes
 * in base64, padded base64url in paths, streams of JSON lines, errors of streams inside `error`, silence while an HTLC
 * hangs.
 */
export class FakeLnd {
  readonly network = new FakeNetwork()
  readonly requests: string[] = []
  /** The bodies of the requests to send. */
  readonly sends: Record<string, unknown>[] = []
  /** The faults to come: the next answer to a path with the prefix `path` has the fault `fault`. */
  readonly faults: { path: string; fault: WireFault }[] = []
  /** Methods that the macaroon does not permit. */
  readonly forbidden = new Set<LndMethod>()
  /** Returns an invoice as an answer shows it; by default, as lnd does. */
  show: (invoice: ReturnType<typeof invoiceJson>) => object = (invoice) => invoice
  state: 'running' | 'starting' | 'locked' | 'syncing' = 'running'
  readonly #server: Server = createServer(ONE_CERTIFICATE, (request, response) => void this.#serve(request, response))
  readonly #observers = new Set<() => void>()
  #url = ''

  get url(): string {
    return this.#url
  }

  async start(): Promise<this> {
    const port = this.#url === '' ? 0 : Number(new URL(this.#url).port)
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
    this.#url = `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  /** Ends all connections, as a killed node does; its records stay, as on its disk. */
  async kill(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Resolves when, in total, `times` requests have had `path` in their path. */
  reached(path: string, times: number): Promise<void> {
    return new Promise((resolve) => {
      const tell = () => {
        if (this.requests.filter((one) => one.includes(path)).length < times) return
        this.#observers.delete(tell)
        resolve()
      }
      this.#observers.add(tell)
      tell()
    })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.#url)
    const { pathname } = url
    this.requests.push(`${request.method} ${pathname}`)
    for (const tell of [...this.#observers]) tell()
    const text = await readText(request)
    const at = this.faults.findIndex(({ path }) => url.pathname.startsWith(path))
    const [fault] = at === -1 ? [] : this.faults.splice(at, 1)
    const target = fault === undefined ? response : faulty(response, fault.fault)
    try {
      this.#refuseUnready(request)
      await this.#route(request.method ?? '', url, text === '' ? {} : JSON.parse(text), target)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const body = { code: error.code, message: error.message, details: [] }
      const isStream = /^\/v2\/router|subscribe/.test(url.pathname)
      target.writeHead(STATUSES[error.code] ?? 500, { 'content-type': 'application/json' })
      target.end(JSON.stringify(isStream ? { error: body } : body))
    }
  }

  #refuseUnready(request: IncomingMessage): void {
    const given = request.headers['grpc-metadata-macaroon']
    if (this.state === 'starting')
      throw new Refused(2, 'the RPC server is in the process of starting up, but not yet ready')
    if (this.state === 'locked') throw new Refused(2, 'wallet locked, unlock it to enable full RPC access')
    if (given === undefined) throw new Refused(2, 'expected 1 macaroon, got 0')
    if (given !== MACAROON) throw new Refused(2, 'cannot get macaroon: verification failed: signature mismatch')
  }

  #permit(method: LndMethod): void {
    if (this.forbidden.has(method)) throw new Refused(2, 'permission denied')
  }

  // biome-ignore lint/suspicious/noExplicitAny: a request's body
  async #route(verb: string, url: URL, body: any, response: ServerResponse): Promise<void> {
    const { network } = this
    const answer = (json: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    const path = `${verb} ${url.pathname}`
    if (path === 'GET /v1/getinfo') return void answer(this.#info())
    if (path === 'GET /v1/balance/channels') return void answer(this.#balance())
    if (path === 'GET /v1/channels') return void answer({ channels: [this.#channel()] })
    if (path === 'POST /v1/macaroon/checkpermissions') {
      return void answer({ valid: !this.forbidden.has(body.fullMethod) })
    }
    if (path === 'POST /v1/invoices') {
      this.#permit('/lnrpc.Lightning/AddInvoice')
      const made = network.addInvoice({
        value: BigInt(body.value_msat ?? 0),
        memo: body.memo ?? '',
        ...(body.description_hash && { descriptionHash: hexOf(body.description_hash) }),
        expiry: Number(body.expiry ?? 86_400),
        preimage: hexOf(body.r_preimage),
      })
      return void answer({ r_hash: base64(made.hash), payment_request: made.request, add_index: `${made.addIndex}` })
    }
    if (path === 'GET /v1/invoices') return void answer(this.#page(url.searchParams))
    if (path.startsWith('GET /v1/invoice/')) {
      return void answer(invoiceJson(network.findInvoice(url.pathname.slice('/v1/invoice/'.length))))
    }
    if (path === 'POST /v2/invoices/cancel') {
      network.cancelInvoice(hexOf(body.payment_hash))
      return void answer({})
    }
    if (path === 'GET /v1/invoices/subscribe')
      return this.#subscribe(BigInt(url.searchParams.get('settle_index') ?? 0), response)
    if (path === 'POST /v2/router/send') return this.#send(body, response)
    if (path === 'GET /v1/payments') {
      this.#permit('/lnrpc.Lightning/ListPayments')
      return void answer({ payments: network.sent(Number(url.searchParams.get('max_payments'))) })
    }
    if (path.startsWith('GET /v2/router/track/')) return this.#track(url, response)
    response.writeHead(404).end('Not Found')
  }

  #info() {
    const { pubkey, network } = this.network
    const chain = network === 'bitcoin' ? 'mainnet' : network
    return {
      version: '0.21.2-beta commit=',
      identity_pubkey: pubkey,
      alias: 'fake',
      chains: [{ chain: 'bitcoin', network: chain }],
      synced_to_chain: this.state !== 'syncing',
      synced_to_graph: true,
      block_height: 452,
    }
  }

  #balance() {
    const { balance, inFlight } = this.network
    const sides = (msat: bigint) => ({ sat: `${msat / 1000n}`, msat: `${msat}` })
    return {
      local_balance: sides(balance),
      remote_balance: sides(5_101_970_446n),
      unsettled_local_balance: sides(0n),
      unsettled_remote_balance: sides(inFlight),
    }
  }

  #channel() {
    return {
      active: true,
      initiator: true,
      local_balance: `${this.network.balance / 1000n}`,
      remote_balance: '5101970',
      commit_fee: '2810',
      local_constraints: { chan_reserve_sat: '100000' },
      remote_constraints: { chan_reserve_sat: '100000' },
    }
  }

  #page(query: URLSearchParams) {
    const after = BigInt(query.get('index_offset') ?? 0)
    const all = [...this.network.invoices.values()].filter((one) => one.addIndex > after)
    const invoices = all.slice(0, Math.min(MAX_PAGE, Number(query.get('num_max_invoices') ?? 100)))
    const last = invoices.at(-1)?.addIndex ?? 0n
    return {
      invoices: invoices.map((one) => this.show(invoiceJson(one))),
      last_index_offset: `${last}`,
      first_index_offset: '0',
    }
  }

  #subscribe(after: bigint, response: ServerResponse): void {
    const settled = [...this.network.invoices.values()].filter((one) => one.settleIndex > after)
    // After 0 there is no past: so lnd does it.
    const past = after === 0n ? [] : settled.sort((a, b) => (a.settleIndex < b.settleIndex ? -1 : 1))
    for (const invoice of past) response.write(`${JSON.stringify({ result: this.show(invoiceJson(invoice)) })}\n`)
    const forget = this.network.onSettled((invoice) => {
      response.write(`${JSON.stringify({ result: { ...invoiceJson(invoice), state: 'OPEN', settle_index: '0' } })}\n`)
      response.write(`${JSON.stringify({ result: this.show(invoiceJson(invoice)) })}\n`)
    })
    response.on('close', forget)
  }

  // biome-ignore lint/suspicious/noExplicitAny: a request's body
  #send(body: any, response: ServerResponse): void {
    this.#permit('/routerrpc.Router/SendPaymentV2')
    this.sends.push(body)
    const records = body.dest_custom_records as Record<string, string> | undefined
    const preimage = records?.['5482373484']
    const payment = this.network.send({
      request: body.payment_request,
      dest: body.dest === undefined ? undefined : hexOf(body.dest),
      hash: body.payment_hash === undefined ? undefined : hexOf(body.payment_hash),
      amount: BigInt(body.amt_msat ?? 0),
      // An omitted limit means zero: so lnd does it.
      feeLimit: BigInt(body.fee_limit_msat ?? 0),
      preimage: preimage === undefined ? undefined : hexOf(preimage),
    })
    const tell = () => void response.end(`${JSON.stringify({ result: paymentJson(payment) })}\n`)
    if (payment.status === 'IN_FLIGHT') this.network.onEnd(payment.hash, tell)
    else tell()
  }

  #track(url: URL, response: ServerResponse): void {
    const text = url.pathname.slice('/v2/router/track/'.length)
    if (text.length !== 44) throw new Refused(3, 'illegal base64 data at input byte 40')
    const payment = this.network.payments.get(Buffer.from(text, 'base64url').toString('hex'))
    if (payment === undefined) throw new Refused(5, "payment isn't initiated")
    const line = () => `${JSON.stringify({ result: paymentJson(payment) })}\n`
    if (payment.status !== 'IN_FLIGHT') return void response.end(line())
    response.write(line())
    this.network.onEnd(payment.hash, () => void response.end(line()))
  }
}

function paymentJson({ hash, status, preimage, fee, reason }: FakePayment) {
  return {
    payment_hash: hash,
    status,
    payment_preimage: preimage || '0'.repeat(64),
    fee_msat: `${fee}`,
    failure_reason: `FAILURE_REASON_${reason}`,
  }
}

function invoiceJson(invoice: FakeInvoice) {
  return {
    r_hash: base64(invoice.hash),
    r_preimage: base64(invoice.preimage),
    payment_request: invoice.request,
    state: invoice.state,
    value_msat: `${invoice.value}`,
    amt_paid_msat: `${invoice.paid}`,
    settle_date: `${invoice.settledAt}`,
    settle_index: `${invoice.settleIndex}`,
    add_index: `${invoice.addIndex}`,
    is_keysend: invoice.isKeysend,
  }
}

/** Adds a fault to a response, which occurs when the response is first written to. */
function faulty(response: ServerResponse, fault: WireFault): ServerResponse {
  const suffer = () => {
    if (fault === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>')
    else if (fault === 'breaks-off') {
      response.writeHead(200, { 'content-length': '5000' })
      response.write('{"result":{"status":"SUCC', () => response.socket?.destroy())
    }
    return response
  }
  const nothing = { writeHead: () => stub, write: () => void suffer(), end: () => suffer(), on: () => stub }
  const stub = nothing as unknown as ServerResponse
  return stub
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}

function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64')
}

function hexOf(text: string): string {
  return Buffer.from(text, 'base64').toString('hex')
}
