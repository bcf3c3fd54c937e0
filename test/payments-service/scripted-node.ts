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

/** An invoice of somebody out there, whose preimage the test knows. */
export interface ForeignInvoice {
  readonly invoice: string
  readonly paymentHash: string
  readonly preimage: string
}

/**
 * A Lightning node that says what the test tells it to, and counts what it is asked: for outcomes that no honest node
 * gives, and for moments that no real node can be stopped at. By itself it pays everything at once for a fee of 1 sat.
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
  /** How it says it is; undefined: ready while it says who it is. */
  healthNow: NodeHealth | undefined
  /** What it lists as sent; undefined where it has no list. */
  sentPayments?: LightningBackend['sentPayments']
  /** What it says of its balances. */
  holds: Partial<NodeBalances> = {}
  /** What it says of each of its own invoices. */
  invoices: Exclude<InvoiceStatus['state'], 'settled'> = 'open'
  /** Whether it says the preimage of an invoice when it makes it. */
  tellsPreimages = true
  /** What a payment comes to; it may hang or throw. */
  answer: (call: Call) => Promise<PaymentOutcome> = async (call) => this.paid(call.paymentHash)
  /** What a look-up finds. */
  found: (paymentHash: string) => Promise<PaymentLookUp> = async () => ({ state: 'absent' })
  readonly #clock: Clock
  #key = randomBytes(32).toString('hex')
  /** It is asked for twice a minute, for days. */
  #pubkey: { readonly of: string; readonly hex: string } | undefined
  readonly #preimages = new Map<string, string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** "Paid", with the right preimage. */
  paid(paymentHash: string, fee: Msats = msats(1_000)): PaymentOutcome {
    return { state: 'paid', preimage: this.preimageOf(paymentHash), fee }
  }

  /** Goes on as the node that another one was: the same key, and what is known of its payments. */
  inherit(other: ScriptedNode): void {
    this.#key = other.#key
    for (const [hash, preimage] of other.#preimages) this.#preimages.set(hash, preimage)
  }

  /** From now on it is another node. */
  become(other: ScriptedNode = new ScriptedNode(this.#clock)): void {
    this.#key = other.#key
  }

  preimageOf(paymentHash: string): string {
    const preimage = this.#preimages.get(paymentHash)
    if (preimage === undefined) throw new Error(`nobody knows the preimage of ${paymentHash}`)
    return preimage
  }

  /** From now on calls hang until the test says what they come to; one outcome for each call, in order. */
  hang(): (outcome: PaymentOutcome | Error) => void {
    const waiting: ((outcome: PaymentOutcome | Error) => void)[] = []
    this.answer = () =>
      new Promise((resolve, reject) => {
        waiting.push((outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)))
      })
    return (outcome) => waiting.shift()?.(outcome)
  }

  /** An invoice of somebody else. */
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

  /** What it charges, with `feeLimit: 'tariff'`. */
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

/** A failure that is proven. */
export function failed(reason: string, code: FailureCode = 'no_route') {
  return { state: 'failed', code, reason, evidence: 'a test says so' } as const
}
