import { createHash, randomBytes } from 'node:crypto'
import { aborted, type Clock } from '../../src/lib/clock.ts'
import { encodeInvoice, type Network, publicKey } from '../../src/lib/lightning/bolt11.ts'
import { type Msats, msats } from '../../src/lib/money/amount.ts'
import type {
  BackendCapabilities,
  CreatedInvoice,
  FailureCode,
  InvoiceRequest,
  InvoiceStatus,
  KeysendRequest,
  LightningBackend,
  NodeBalances,
  NodeHealth,
  OddRecord,
  PaymentLookUp,
  PaymentOutcome,
  PayRequest,
  Settlement,
} from '../../src/payments-service/backends/backend.ts'

export type Call = (PayRequest & { kind: 'pay' }) | (KeysendRequest & { kind: 'keysend' })

/** An outsider's invoice, with its preimage. */
export interface ForeignInvoice {
  readonly invoice: string
  readonly paymentHash: string
  readonly preimage: string
}

/**
 * A Lightning node that records its calls, and whose answers the test decides. It is for outcomes that no honest node
 * produces, and for moments at which no real node can be stopped. By default it pays everything immediately for a fee
 * of 1 sat.
 */
export class ScriptedNode implements LightningBackend {
  kind: string = 'lnd'
  capabilities: BackendCapabilities = {
    keysend: true,
    descriptionHash: true,
    cancelInvoice: true,
    msats: true,
    feeLimit: 'exact',
    offers: false,
    bitcoinNames: false,
    ownOffers: false,
    sendable: { smallest: msats(1) },
    receivable: { smallest: msats(1) },
  }
  readonly calls: Call[] = []
  readonly lookUps: string[] = []
  readonly canceled: string[] = []
  network: Network = 'regtest'
  /** The health that the node reports, or undefined to report ready whenever it can say which node it is. */
  healthNow: NodeHealth | undefined
  /** The function that lists the node's sent payments, or undefined if it has no such list. */
  sentPayments?: LightningBackend['sentPayments']
  /** The balances that the node reports. */
  holds: Partial<NodeBalances> = {}
  /** The state that the node reports for each of its own invoices. */
  invoices: Exclude<InvoiceStatus['state'], 'settled'> = 'open'
  /** Whether the node returns an invoice's preimage on creating the invoice. */
  tellsPreimages = true
  /** Decides a payment's outcome; it may hang or throw. */
  answer: (call: Call) => Promise<PaymentOutcome> = async (call) => this.paid(call.paymentHash)
  /** Decides a look-up's result. */
  found: (paymentHash: string) => Promise<PaymentLookUp> = async () => ({ state: 'absent' })
  readonly #clock: Clock
  #key = randomBytes(32).toString('hex')
  /** The node's public key, cached because it is requested twice a minute, for days. */
  #pubkey: { readonly of: string; readonly hex: string } | undefined
  readonly #preimages = new Map<string, string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns the outcome "paid", with the right preimage. */
  paid(paymentHash: string, fee: Msats = msats(1_000)): PaymentOutcome {
    return { state: 'paid', preimage: this.preimageOf(paymentHash), fee }
  }

  /** Continues as the other node, with that node's key and its knowledge of payments. */
  inherit(other: ScriptedNode): void {
    this.#key = other.#key
    for (const [hash, preimage] of other.#preimages) this.#preimages.set(hash, preimage)
  }

  /** Adopts the key of another node, by default of a new one. */
  become(other: ScriptedNode = new ScriptedNode(this.#clock)): void {
    this.#key = other.#key
  }

  preimageOf(paymentHash: string): string {
    const preimage = this.#preimages.get(paymentHash)
    if (preimage === undefined) throw new Error(`nobody knows the preimage of ${paymentHash}`)
    return preimage
  }

  /** Makes calls hang; returns a function that decides the outcome of the first call that still hangs. */
  hang(): (outcome: PaymentOutcome | Error) => void {
    const waiting: ((outcome: PaymentOutcome | Error) => void)[] = []
    this.answer = () =>
      new Promise((resolve, reject) => {
        waiting.push((outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)))
      })
    return (outcome) => waiting.shift()?.(outcome)
  }

  /** Creates an outsider's invoice. */
  foreignInvoice(
    draft: { amount?: Msats; paymentHash?: string; network?: Network; expiresInSeconds?: number } = {},
  ): ForeignInvoice {
    return this.#sign(draft, randomBytes(32).toString('hex'))
  }

  async info() {
    if (this.#pubkey?.of !== this.#key) this.#pubkey = { of: this.#key, hex: publicKey(this.#key) }
    return { pubkey: this.#pubkey.hex, alias: 'scripted', network: this.network }
  }

  async health(): Promise<NodeHealth> {
    if (this.healthNow !== undefined) return this.healthNow
    return this.info().then(
      () => ({ state: 'ready' }),
      (error) => ({ state: 'away', reason: String(error) }),
    )
  }

  async balances(): Promise<NodeBalances> {
    return { settled: msats(0), inFlight: undefined, spendable: undefined, receivable: undefined, ...this.holds }
  }

  /** Returns the node's fee for an amount, with `feeLimit: 'tariff'`. */
  tariff: (amount: Msats) => Msats | undefined = () => undefined

  async createInvoice(request: InvoiceRequest): Promise<CreatedInvoice> {
    const { amount, expiresInSeconds, description } = request
    const { invoice, paymentHash, preimage } = this.#sign(
      { ...(amount && { amount }), expiresInSeconds, description },
      this.#key,
    )
    const known = this.tellsPreimages ? { preimage } : {}
    return {
      invoice,
      paymentHash,
      ...known,
      expiresAt: new Date(Math.floor(this.#clock.now() / 1000 + expiresInSeconds) * 1000),
    }
  }

  async lookUpInvoice(): Promise<InvoiceStatus | undefined> {
    return { state: this.invoices }
  }

  async cancelInvoice(paymentHash: string): Promise<'canceled'> {
    this.canceled.push(paymentHash)
    return 'canceled'
  }

  pay(request: PayRequest): Promise<PaymentOutcome> {
    const call = { ...request, kind: 'pay' as const }
    this.calls.push(call)
    return this.answer(call)
  }

  keysend(request: KeysendRequest): Promise<PaymentOutcome> {
    const call = { ...request, kind: 'keysend' as const }
    this.#preimages.set(request.paymentHash, request.preimage)
    this.calls.push(call)
    return this.answer(call)
  }

  lookUpPayment(paymentHash: string): Promise<PaymentLookUp> {
    this.lookUps.push(paymentHash)
    return this.found(paymentHash)
  }

  async *settledInvoices(_cursor: string | undefined, signal: AbortSignal): AsyncGenerator<Settlement | OddRecord> {
    await aborted(signal)
    yield* []
  }

  async close(): Promise<void> {}

  #sign(
    draft: {
      amount?: Msats
      paymentHash?: string
      network?: Network
      expiresInSeconds?: number
      description?: InvoiceRequest['description']
    },
    privateKey: string,
  ): ForeignInvoice {
    const preimage = randomBytes(32).toString('hex')
    const paymentHash = draft.paymentHash ?? hashOf(preimage)
    if (draft.paymentHash === undefined) this.#preimages.set(paymentHash, preimage)
    const description: InvoiceRequest['description'] = draft.description ?? { text: 'a test' }
    const invoice = encodeInvoice({
      network: draft.network ?? 'regtest',
      amount: draft.amount,
      ...(description.hash === undefined ? { description: description.text } : { descriptionHash: description.hash }),
      paymentHash,
      paymentSecret: randomBytes(32).toString('hex'),
      createdAt: new Date(this.#clock.now()),
      expiresInSeconds: draft.expiresInSeconds ?? 3_600,
      privateKey,
    })
    return { invoice, paymentHash, preimage }
  }
}

export function hashOf(preimage: string): string {
  return createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')
}

/** Returns a proven failure. */
export function failed(reason: string, code: FailureCode = 'no_route') {
  return { state: 'failed', code, reason, evidence: 'a test says so' } as const
}
