import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../../../src/lib/clock.ts'
import {
  decodeInvoice,
  encodeInvoice,
  isExpired,
  type Network,
  publicKey,
} from '../../../../src/lib/lightning/bolt11.ts'
import { decodeAnyInvoice } from '../../../../src/lib/lightning/bolt12.ts'
import { ceilDivide, type Msats, msats, sats, ZERO } from '../../../../src/lib/money/amount.ts'
import { makeOffer, makeOfferInvoice, type OfferDraft, type OfferInvoiceDraft } from '../../../support/bolt12-texts.ts'

/** An invoice of our node, as the node itself stores it. */
export interface OwnInvoice {
  readonly invoice: string
  readonly paymentHash: string
  readonly preimage: string
  readonly amount: Msats | undefined
  readonly description: string
  readonly createdAt: number
  readonly expiresAt: number
  settled?: { readonly at: number; readonly received: Msats; readonly index: number }
}

/** One attempt by our node to pay, which is `pending` until its HTLCs end. */
export interface Attempt {
  readonly invoice: string
  readonly paymentHash: string
  readonly preimage: string
  readonly amount: Msats
  readonly fee: Msats
  readonly createdAt: number
  state: 'pending' | 'complete' | 'failed'
  endedAt?: number
}

/** The reason why no sats left the node, or why they came back. */
export type NotPaid =
  | 'already-paid'
  | 'in-progress'
  | 'expired'
  | 'own-invoice'
  | 'amount-missing'
  | 'amount-surplus'
  | 'too-expensive'
  | 'no-path'
  | 'refused-by-payee'

/** The error of `send` and `depart` if nothing was paid. */
export class SendFailed extends Error {
  readonly why: NotPaid

  constructor(why: NotPaid) {
    super(why)
    this.why = why
  }
}

/** What happens to one of our node's next payments. */
export type Fate = 'hang' | 'no-path' | 'refused-by-payee' | 'wrong-preimage' | 'overcharge'

/** The fields in which an offer's invoice differs from the request. */
export type OfferChange = Partial<Pick<OfferInvoiceDraft, 'amount' | 'network' | 'expiresInSeconds' | 'paymentHash'>>

export interface LightningSideOptions {
  readonly clock: Clock
  readonly network?: Network
  readonly balance?: Msats
  /** Returns the routing fee of an amount; by default, 1 sat plus 0.1 %. */
  readonly feeOf?: (amount: Msats) => Msats
  /** Whether our node pays its own invoices. */
  readonly paysItself?: boolean
  /**
   * The shortest time between two settlements, in milliseconds, so that a node that records only their times can order
   * them.
   */
  readonly spacingMs?: number
}

/**
 * The Lightning network behind a fake node, without any node's protocol: our node's invoices and payments, which
 * survive a restart of the protocol's server, and one outside node that pays and is paid. Each fake node presents this
 * network in its own protocol.
 */
export class LightningSide {
  readonly clock: Clock
  readonly network: Network
  readonly invoices: OwnInvoice[] = []
  readonly attempts: Attempt[] = []
  balance: Msats
  spacingMs: number
  readonly #key = randomBytes(32).toString('hex')
  readonly #outsideKey = randomBytes(32).toString('hex')
  readonly #outside = new Map<string, { readonly preimage: string; readonly invoice: string; received?: Msats }>()
  readonly #offers = new Map<string, OfferDraft>()
  readonly #feeOf: (amount: Msats) => Msats
  readonly #paysItself: boolean
  readonly #fates: Fate[] = []
  /** The hanging attempts, each with the functions that are called when it ends. */
  readonly #hanging = new Map<Attempt, (() => void)[]>()
  readonly #departures: (() => void)[] = []
  readonly #listeners = new Set<(invoice: OwnInvoice) => void>()
  #settlements = 0

  constructor(options: LightningSideOptions) {
    this.clock = options.clock
    this.network = options.network ?? 'regtest'
    this.balance = options.balance ?? sats(10_000_000)
    this.#feeOf = options.feeOf ?? ((amount) => msats(1_000n + ceilDivide(amount, 1_000n)))
    this.#paysItself = options.paysItself ?? false
    this.spacingMs = options.spacingMs ?? 0
  }

  get pubkey(): string {
    return publicKey(this.#key)
  }

  get outsidePubkey(): string {
    return publicKey(this.#outsideKey)
  }

  /** The amount in HTLCs that have not ended. */
  get inFlight(): Msats {
    const pending = this.attempts.filter((attempt) => attempt.state === 'pending')
    return pending.reduce((sum, { amount, fee }) => msats(sum + amount + fee), ZERO)
  }

  /** Sets what happens to the next payments, one value for each. */
  next(...fates: Fate[]): void {
    this.#fates.push(...fates)
  }

  /** Ends every hanging attempt in this state. */
  release(state: 'complete' | 'failed'): void {
    for (const [attempt, waiting] of [...this.#hanging]) {
      this.#hanging.delete(attempt)
      this.#end(attempt, state)
      for (const tell of waiting) tell()
    }
  }

  onSettled(listener: (invoice: OwnInvoice) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  addInvoice(draft: {
    amount: Msats | undefined
    description: string
    descriptionHash?: string | undefined
    expiresInSeconds: number
    preimage?: string | undefined
  }): OwnInvoice {
    const preimage = draft.preimage ?? randomBytes(32).toString('hex')
    const invoice = this.#sign(this.#key, preimage, draft)
    const { paymentHash, createdAt, expiresAt } = decodeInvoice(invoice)
    const { amount, description } = draft
    const dates = { createdAt: createdAt.getTime(), expiresAt: expiresAt.getTime() }
    const own: OwnInvoice = { invoice, paymentHash, preimage, amount, description, ...dates }
    this.invoices.push(own)
    return own
  }

  /** Adds the invoice that our node creates when somebody pays its offer, with the payer's note as in BOLT 12. */
  addOfferInvoice(amount: Msats, description: string, note?: string): OwnInvoice {
    const preimage = randomBytes(32).toString('hex')
    const paymentHash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')
    const createdAt = Math.floor(this.clock.now() / 1_000)
    const invoice = makeOfferInvoice({ network: this.network, amount, paymentHash, createdAt, description, note })
    const dates = { createdAt: createdAt * 1_000, expiresAt: (createdAt + 7_200) * 1_000 }
    const own: OwnInvoice = { invoice, paymentHash, preimage, amount, description, ...dates }
    this.invoices.push(own)
    return own
  }

  removeInvoice(own: OwnInvoice): void {
    this.invoices.splice(this.invoices.indexOf(own), 1)
  }

  invoice(paymentHash: string): OwnInvoice | undefined {
    return this.invoices.find((own) => own.paymentHash === paymentHash)
  }

  attemptsOf(paymentHash: string): Attempt[] {
    return this.attempts.filter((attempt) => attempt.paymentHash === paymentHash)
  }

  /** Creates an invoice of the outside node. */
  outsideInvoice(request: { amount?: Msats | undefined; expiresInSeconds?: number } = {}): {
    readonly invoice: string
    readonly paymentHash: string
    readonly preimage: string
  } {
    const preimage = randomBytes(32).toString('hex')
    const { amount, expiresInSeconds = 3_600 } = request
    const invoice = this.#sign(this.#outsideKey, preimage, { amount, description: 'outside', expiresInSeconds })
    const { paymentHash } = decodeInvoice(invoice)
    this.#outside.set(paymentHash, { preimage, invoice })
    return { invoice, paymentHash, preimage }
  }

  /** Creates an offer of the outside node. */
  outsideOffer(draft: OfferDraft = {}): string {
    const offer = makeOffer({ network: this.network, ...draft })
    this.#offers.set(offer, draft)
    return offer
  }

  /**
   * Returns the outside node's invoice for an offer; undefined if the offer is not that node's, or if there is no
   * amount.
   */
  invoiceForOffer(offer: string, amount: Msats | undefined, change: OfferChange = {}): string | undefined {
    const draft = this.#offers.get(offer)
    const asked = draft?.amount ?? amount
    if (draft === undefined || asked === undefined) return undefined
    const preimage = randomBytes(32).toString('hex')
    const paymentHash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')
    const createdAt = Math.floor(this.clock.now() / 1_000)
    const about = { network: this.network, amount: asked, paymentHash, createdAt, ...change }
    const invoice = makeOfferInvoice(about)
    this.#outside.set(paymentHash, { preimage, invoice })
    return invoice
  }

  receivedOutside(paymentHash: string): Msats | undefined {
    return this.#outside.get(paymentHash)?.received
  }

  /** Makes the outside node pay one of our invoices; `received` is less than the amount if our node deducts a fee. */
  payFromOutside(
    invoice: string,
    amount?: Msats,
    { received }: { readonly received?: Msats } = {},
  ): { preimage: string } {
    const own = this.invoices.find((one) => one.invoice === invoice)
    if (own === undefined) throw new Error('the payee does not know this invoice')
    if (own.settled !== undefined) throw new Error('the invoice is paid already')
    if (this.clock.now() >= own.expiresAt) throw new Error('the invoice has expired')
    const paid = amount ?? own.amount
    if (paid === undefined) throw new Error('the invoice has no amount')
    this.#settlements += 1
    const last = Math.max(0, ...this.invoices.map(({ settled }) => settled?.at ?? 0))
    const at = Math.max(this.clock.now(), last + this.spacingMs)
    own.settled = { at, received: received ?? paid, index: this.#settlements }
    this.balance = msats(this.balance + own.settled.received)
    for (const listener of this.#listeners) listener(own)
    return { preimage: own.preimage }
  }

  /**
   * Pays an invoice; resolves when all HTLCs of the payment have been settled. Rejects with SendFailed if the payment
   * fails.
   */
  async send(request: { invoice: string; amount?: Msats | undefined; maxFee?: Msats | undefined }): Promise<Attempt> {
    const attempt = this.depart(request)
    await this.endOf(attempt)
    if (attempt.state === 'failed') throw new SendFailed('refused-by-payee')
    return attempt
  }

  /** Starts a payment, and returns it once it has left our node; throws SendFailed if it cannot leave. */
  depart(request: { invoice: string; amount?: Msats | undefined; maxFee?: Msats | undefined }): Attempt {
    const invoice = decodeAnyInvoice(request.invoice)
    const { paymentHash } = invoice
    const earlier = this.attemptsOf(paymentHash)
    if (earlier.some(({ state }) => state === 'complete')) throw new SendFailed('already-paid')
    if (earlier.some(({ state }) => state === 'pending')) throw new SendFailed('in-progress')
    if (isExpired(invoice, this.clock.now())) throw new SendFailed('expired')
    if (invoice.amount !== undefined && request.amount !== undefined) throw new SendFailed('amount-surplus')
    const amount = invoice.amount ?? request.amount
    if (amount === undefined) throw new SendFailed('amount-missing')
    if (this.invoice(paymentHash) !== undefined && !this.#paysItself) throw new SendFailed('own-invoice')
    const fate = this.#fates.shift()
    const base = this.#feeOf(amount)
    const fee = fate === 'overcharge' ? msats(base + (request.maxFee ?? base)) : base
    if (request.maxFee !== undefined && base > request.maxFee) throw new SendFailed('too-expensive')
    if (fate === 'no-path' || amount + fee > this.balance) throw new SendFailed('no-path')
    const own = this.invoice(paymentHash)
    const payee = this.#outside.get(paymentHash)
    if (own === undefined && payee === undefined) throw new SendFailed('no-path')
    this.balance = msats(this.balance - amount - fee)
    const preimage = fate === 'wrong-preimage' ? '11'.repeat(32) : (own ?? payee)?.preimage
    const attempt: Attempt = {
      ...{ invoice: request.invoice, paymentHash, preimage: preimage ?? '', amount, fee },
      ...{ createdAt: this.clock.now(), state: 'pending' },
    }
    this.attempts.push(attempt)
    for (const tell of this.#departures.splice(0)) tell()
    if (fate === 'hang') this.#hanging.set(attempt, [])
    else this.#end(attempt, fate === 'refused-by-payee' ? 'failed' : 'complete')
    return attempt
  }

  /** Resolves when our node's next payment leaves. */
  departed(): Promise<void> {
    return new Promise((resolve) => this.#departures.push(resolve))
  }

  /** Resolves when an attempt is no longer pending. */
  endOf(attempt: Attempt): Promise<void> {
    const waiting = this.#hanging.get(attempt)
    return waiting === undefined ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
  }

  #end(attempt: Attempt, state: 'complete' | 'failed'): void {
    attempt.state = state
    attempt.endedAt = this.clock.now()
    const { amount, fee, paymentHash } = attempt
    const payee = this.#outside.get(paymentHash)
    if (state === 'failed') this.balance = msats(this.balance + amount + fee)
    else if (payee !== undefined) payee.received = msats((payee.received ?? ZERO) + amount)
  }

  #sign(
    privateKey: string,
    preimage: string,
    draft: {
      amount: Msats | undefined
      description: string
      descriptionHash?: string | undefined
      expiresInSeconds: number
    },
  ): string {
    const { amount, description, descriptionHash, expiresInSeconds } = draft
    return encodeInvoice({
      network: this.network,
      amount,
      ...(descriptionHash === undefined ? { description } : { descriptionHash }),
      paymentHash: createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex'),
      paymentSecret: randomBytes(32).toString('hex'),
      createdAt: new Date(this.clock.now()),
      expiresInSeconds,
      privateKey,
    })
  }
}
