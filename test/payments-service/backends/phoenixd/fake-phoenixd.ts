import { WebSocketServer } from 'ws'
import type { Clock } from '../../../../src/lib/clock.ts'
import { ceilDivide, type Msats, msats, sats } from '../../../../src/lib/money/amount.ts'
import { type FakeAnswer, FakeHttp, type FakeRequest } from '../nodes/fake-http.ts'
import { LightningSide, type NotPaid, type OwnInvoice, SendFailed } from '../nodes/lightning-side.ts'

/** The texts with which lightning-kmp refuses or fails payments. */
const REASONS: Readonly<Record<NotPaid, string>> = {
  'already-paid': 'this invoice has already been paid',
  'in-progress': 'another payment is in progress for that invoice',
  expired: 'the recipient rejected the payment',
  'own-invoice': 'the recipient was offline or did not have enough liquidity to receive the payment',
  'amount-missing': 'payment amount must be positive',
  'amount-surplus': 'payment amount must be positive',
  'too-expensive': 'payment could not be sent through existing channels, check individual failures for more details',
  'no-path': 'the recipient was offline or did not have enough liquidity to receive the payment',
  'refused-by-payee': 'the recipient rejected the payment',
}

/**
 * phoenixd v0.8.0 according to its sources: it reads forms, and answers with JSON without null fields, or with errors
 * as text.
 */
export class FakePhoenixd {
  readonly side: LightningSide
  readonly http: FakeHttp
  readonly password = 'aa'.repeat(32)
  readonly limitedPassword = 'bb'.repeat(32)
  /** The state of the node's only channel; undefined if there is none yet. */
  channel: string | undefined = 'Normal'
  chain: string
  /** The text of `payinvoice` in place of the failure's real reason. */
  reason: string | undefined
  /** Whether the node reports every outgoing payment that has ended as paid, as early releases did. */
  doesMistakeEndForPayment = false
  /** Whether the node is a release without a look-up by hash. */
  isOutdated = false

  /**
   * Whether the node reports receipts through `/websocket`: each once, to the connections that are open at that moment.
   */
  tellsArrivals = true
  readonly listeners = new WebSocketServer({ noServer: true })

  constructor(clock: Clock, network: 'bitcoin' | 'testnet' = 'testnet') {
    this.chain = network === 'bitcoin' ? 'mainnet' : 'testnet3'
    const feeOf = (amount: Msats) => msats(sats(4) + ceilDivide(amount * 4n, 1_000n))
    this.side = new LightningSide({ clock, network, feeOf, spacingMs: 1 })
    this.http = new FakeHttp((request) => this.#serve(request))
    this.http.upgrade = (request, socket, head) => {
      const password = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
      if (request.url !== '/websocket' || !password.endsWith(`:${this.password}`) || !this.tellsArrivals) {
        socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
        return
      }
      this.listeners.handleUpgrade(request, socket, head, (client) => this.listeners.emit('connection', client))
    }
  }

  /** Sends a message to all open connections, as after a receipt. */
  tell(message: object | string): void {
    for (const client of this.listeners.clients) {
      client.send(typeof message === 'string' ? message : JSON.stringify(message))
    }
  }

  /** Resolves when the next client has connected to `/websocket`. */
  heard(): Promise<void> {
    return new Promise((resolve) => this.listeners.once('connection', () => resolve()))
  }

  async #serve(request: FakeRequest): Promise<FakeAnswer> {
    const password = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64')
      .toString()
      .replace(/^[^:]*:/, '')
    const isLimited = password === this.limitedPassword
    if ((password !== this.password && !isLimited) || (isLimited && request.path === '/payinvoice')) {
      return text(401, 'Invalid authentication (use basic auth with the http password set in phoenix.conf)')
    }
    const form = new URLSearchParams(request.body)
    const [, first, second, third] = request.path.split('/')
    if (request.method === 'GET' && first === 'getinfo') return this.#getInfo()
    if (request.method === 'GET' && first === 'getbalance') {
      return json({ balanceSat: floor(this.side.balance), feeCreditSat: 0 })
    }
    if (request.method === 'POST' && first === 'createinvoice') return this.#createInvoice(form)
    if (request.method === 'POST' && first === 'payinvoice') return this.#payInvoice(form)
    if (first === 'payments' && second === 'incoming') {
      return third === undefined
        ? this.#list(request.query)
        : found(this.side.invoice(third), (own) => show(own, this.#now))
    }
    if (first === 'payments' && second === 'outgoing' && third === undefined)
      return this.#sent(Number(request.query.get('limit') ?? 20))
    if (first === 'payments' && second === 'outgoingbyhash' && third !== undefined && !this.isOutdated)
      return this.#outgoing(third)
    return text(404, 'Unknown endpoint (check api doc)')
  }

  get #now(): number {
    return this.side.clock.now()
  }

  #getInfo(): FakeAnswer {
    const channels =
      this.channel === undefined
        ? []
        : [{ state: this.channel, balanceSat: floor(this.side.balance), inboundLiquiditySat: 1_000_000 }]
    return json({ nodeId: this.side.pubkey, channels, chain: this.chain, blockHeight: 900_000, version: '0.8.0' })
  }

  #createInvoice(form: URLSearchParams): FakeAnswer {
    const [description, descriptionHash] = [form.get('description'), form.get('descriptionHash')]
    if ((description === null) === (descriptionHash === null)) {
      return text(400, 'Must provide either a description or descriptionHash')
    }
    if ((description ?? '').length > 128) {
      return text(400, 'Request parameter description is too long (max 128 characters)')
    }
    const amount = form.get('amountSat')
    const own = this.side.addInvoice({
      amount: amount === null ? undefined : sats(Number(amount)),
      description: description ?? '',
      descriptionHash: descriptionHash ?? undefined,
      expiresInSeconds: Number(form.get('expirySeconds') ?? 604_800),
    })
    const { paymentHash, invoice: serialized } = own
    return json({ ...(amount === null ? {} : { amountSat: Number(amount) }), paymentHash, serialized })
  }

  #list(query: URLSearchParams): FakeAnswer {
    const from = Number(query.get('from') ?? 0)
    const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 20)]
    const received = this.side.invoices.filter(({ settled }) => settled !== undefined && settled.at >= from)
    // The newest first, as the application shows them.
    const page = received
      .sort((a, b) => (b.settled?.index ?? 0) - (a.settled?.index ?? 0))
      .slice(offset, offset + limit)
    return json(page.map((own) => show(own, this.#now)))
  }

  async #payInvoice(form: URLSearchParams): Promise<FakeAnswer> {
    const invoice = form.get('invoice')
    if (invoice === null) return text(400, 'Request parameter invoice is missing')
    const amount = form.get('amountSat')
    const request = { invoice, amount: amount === null ? undefined : sats(Number(amount)) }
    try {
      const attempt = await this.side.send(request)
      return json({
        ...{ type: 'payment_sent', recipientAmountSat: floor(attempt.amount), routingFeeSat: floor(attempt.fee) },
        ...{ paymentId: '00000000-0000-4000-8000-000000000000', paymentHash: attempt.paymentHash },
        paymentPreimage: attempt.preimage,
      })
    } catch (error) {
      if (!(error instanceof SendFailed)) throw error
      return json({ type: 'payment_failed', reason: this.reason ?? REASONS[error.why] })
    }
  }

  #sent(limit: number): FakeAnswer {
    const paid = this.side.attempts.filter(({ state }) => state === 'complete').reverse()
    return json(
      paid.slice(0, limit).map(({ paymentHash, preimage, amount, fee, createdAt, endedAt }) => ({
        ...{ type: 'outgoing_payment', subType: 'lightning', paymentId: '00000000-0000-4000-8000-000000000000' },
        ...{ paymentHash, preimage, isPaid: true, sent: floor(msats(amount + fee)), fees: Number(fee) },
        ...{ createdAt, completedAt: endedAt },
      })),
    )
  }

  #outgoing(paymentHash: string): FakeAnswer {
    const attempts = this.side.attemptsOf(paymentHash)
    const best = ['complete', 'pending', 'failed']
      .map((state) => attempts.find((attempt) => attempt.state === state))
      .find((attempt) => attempt !== undefined)
    return found(best, (attempt) => {
      const isPaid = attempt.state === 'complete'
      const saysPaid = this.doesMistakeEndForPayment ? attempt.endedAt !== undefined : isPaid
      return {
        ...{ type: 'outgoing_payment', subType: 'lightning', paymentId: '00000000-0000-4000-8000-000000000000' },
        ...{
          paymentHash,
          isPaid: saysPaid,
          sent: floor(msats(attempt.amount + attempt.fee)),
          fees: Number(attempt.fee),
        },
        ...{ invoice: attempt.invoice, createdAt: attempt.createdAt },
        ...(isPaid && { preimage: attempt.preimage }),
        ...(attempt.endedAt !== undefined && { completedAt: attempt.endedAt }),
      }
    })
  }
}

function show(own: OwnInvoice, now: number) {
  const { settled, amount } = own
  return {
    ...{ type: 'incoming_payment', subType: 'lightning', paymentHash: own.paymentHash, preimage: own.preimage },
    ...{
      invoice: own.invoice,
      isPaid: settled !== undefined,
      isExpired: settled === undefined && now >= own.expiresAt,
    },
    ...{ receivedSat: settled === undefined ? 0 : floor(settled.received), fees: 0 },
    ...{ createdAt: own.createdAt, expiresAt: own.expiresAt },
    ...(amount !== undefined && { requestedSat: floor(amount) }),
    ...(settled !== undefined && { completedAt: settled.at }),
  }
}

function found<T>(value: T | undefined, render: (value: T) => object): FakeAnswer {
  return value === undefined ? text(404, 'Not found') : json(render(value))
}

function json(value: unknown): FakeAnswer {
  return { status: 200, body: JSON.stringify(value, undefined, 4) }
}

function text(status: number, body: string): FakeAnswer {
  return { status, body, type: 'text/plain; charset=UTF-8' }
}

function floor(amount: bigint): number {
  return Number(amount / 1_000n)
}
