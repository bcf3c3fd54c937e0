import type { Clock } from '../../../lib/clock.ts'
import type { Entropy } from '../../../lib/entropy.ts'
import { decodeInvoice, InvalidInvoice, type Invoice, isExpired } from '../../../lib/lightning/bolt11.ts'
import { type Msats, msats, ZERO } from '../../../lib/money/amount.ts'
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
  NodeInfo,
  PaymentLookUp,
  PaymentOutcome,
  PayRequest,
  Settlement,
} from '../backend.ts'
import type { Arrivals } from './arrivals.ts'
import type { Flights } from './flights.ts'
import { createInvoice, hashOf, NETWORK, type RoutingFee } from './invoicing.ts'
import type { EndName, FaultRow, NetworkFile, PaymentRow } from './network-file.ts'

export interface OurNodeParts {
  readonly file: NetworkFile
  readonly clock: Clock
  readonly entropy: Entropy
  readonly flights: Flights
  readonly arrivals: Arrivals
  readonly pubkeys: Readonly<Record<EndName, string>>
  readonly routingFee: RoutingFee
  /** How long each of our payments takes, by the clock. */
  readonly latencyMs: number
  close(): Promise<void>
}

/** A payment before it leaves. */
type Draft = Pick<PaymentRow, 'paymentHash' | 'kind' | 'amount' | 'preimage' | 'tlvRecords'>

/** The sender's limits for a payment. */
type Bounds = Pick<PayRequest, 'maxFee' | 'timeoutMs'>

export const SANDBOX_CAPABILITIES: BackendCapabilities = {
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

/** How long a payment with an unknown outcome takes until it ends, unless the fault sets another time. */
const LATE_MS = 2_000

/** The error of a payment that cannot leave. Its message is the reason for the caller. */
class NoRoute extends Error {
  readonly code: FailureCode

  constructor(reason: string, code: FailureCode = 'no_route') {
    super(reason)
    this.code = code
  }
}

/** Our end of the sandbox network, which the payments service sees as a Lightning node. */
export class OurNode implements LightningBackend {
  readonly kind = 'sandbox'
  readonly capabilities = SANDBOX_CAPABILITIES
  readonly #parts: OurNodeParts

  constructor(parts: OurNodeParts) {
    this.#parts = parts
  }

  async info(): Promise<NodeInfo> {
    return { pubkey: this.#parts.pubkeys.ours, alias: 'Satchel sandbox', network: NETWORK }
  }

  async health(): Promise<NodeHealth> {
    return { state: 'ready' }
  }

  async balances(): Promise<NodeBalances> {
    const { file } = this.#parts
    const settled = file.balance('ours')
    const inFlight = file.pendingPayments().reduce((sum, { amount, fee }) => sum + amount + fee, 0n)
    return file.told({ settled, inFlight: msats(inFlight), spendable: settled, receivable: file.balance('outside') })
  }

  tariff(): undefined {
    return undefined
  }

  async createInvoice(request: InvoiceRequest): Promise<CreatedInvoice> {
    return this.#parts.file.told(createInvoice(this.#parts, 'ours', request))
  }

  async lookUpInvoice(paymentHash: string): Promise<InvoiceStatus | undefined> {
    return this.#parts.file.told(this.#invoiceStatus(paymentHash))
  }

  async cancelInvoice(paymentHash: string): Promise<'canceled' | 'settled' | 'unknown'> {
    const invoice = this.#ownInvoice(paymentHash)
    if (invoice === undefined) return 'unknown'
    if (invoice.state === 'settled') return this.#parts.file.told('settled')
    this.#parts.file.endInvoice(paymentHash, 'closed')
    return this.#parts.file.told('canceled')
  }

  async pay(request: PayRequest): Promise<PaymentOutcome> {
    return this.#send(request, { ...BLANK, paymentHash: request.paymentHash, kind: 'invoice' }, () => {
      const { invoice, amount } = this.#readInvoice(request)
      const preimage = this.#parts.file.invoice(invoice.paymentHash)?.preimage ?? ''
      return { paymentHash: request.paymentHash, kind: 'invoice', amount, preimage, tlvRecords: '[]' }
    })
  }

  async keysend(request: KeysendRequest): Promise<PaymentOutcome> {
    const { paymentHash, preimage, amount } = request
    const tlvRecords = JSON.stringify(request.tlvRecords)
    const draft: Draft = { paymentHash, kind: 'keysend', amount, preimage, tlvRecords }
    return this.#send(request, draft, () => {
      if (hashOf(preimage) !== paymentHash) throw new NoRoute('the preimage does not belong to the payment hash')
      if (amount < 1n) throw new NoRoute('there is nothing to send')
      if (this.#parts.file.invoice(paymentHash) !== undefined)
        throw new NoRoute('the payment hash is that of an invoice')
      if (request.pubkey === this.#parts.pubkeys.ours) throw new NoRoute('the payment would go to our own node')
      if (request.pubkey !== this.#parts.pubkeys.outside) throw new NoRoute('there is no route to this node')
      return draft
    })
  }

  async lookUpPayment(paymentHash: string): Promise<PaymentLookUp> {
    return this.#parts.file.told(this.#parts.flights.outcome(paymentHash) ?? { state: 'absent' })
  }

  async *settledInvoices(cursor: string | undefined, signal: AbortSignal): AsyncGenerator<Settlement> {
    for await (const arrival of this.#parts.arrivals.since('ours', BigInt(cursor ?? 0), signal)) {
      yield {
        cursor: arrival.cursor.toString(),
        paymentHash: arrival.paymentHash,
        received: arrival.amount,
        preimage: arrival.preimage,
        settledAt: new Date(arrival.at),
        keysend: arrival.kind === 'keysend',
      }
    }
  }

  async close(): Promise<void> {
    await this.#parts.close()
  }

  /**
   * Sends a payment if `route` permits it. If the hash already has a payment that did not fail, returns the outcome of
   * that payment instead. `blank` is the record to use for a payment that never left.
   */
  #send(bounds: Bounds, blank: Draft, route: () => Draft): Promise<PaymentOutcome> | PaymentOutcome {
    return this.#parts.file.told(this.#sendOnce(bounds, blank, route))
  }

  #sendOnce({ maxFee, timeoutMs }: Bounds, blank: Draft, route: () => Draft): Promise<PaymentOutcome> | PaymentOutcome {
    const { file, flights } = this.#parts
    const earlier = file.payment('ours', blank.paymentHash)
    if (earlier !== undefined && earlier.state !== 'failed') return flights.landing(earlier, timeoutMs)
    try {
      const { payment, fault } = file.atomically(() => this.#depart(route(), maxFee))
      flights.launch(payment)
      if (fault === undefined || !fault.kind.startsWith('unknown')) return flights.landing(payment, timeoutMs)
      return { state: 'unknown', evidence: `the node gave no answer (sandbox fault ${fault.kind})` }
    } catch (error) {
      if (!(error instanceof NoRoute)) throw error
      const at = this.#parts.clock.now()
      const end = { state: 'failed', endsAs: 'failed', reason: error.message, dueAt: null, fee: ZERO, at } as const
      file.addPayment({ ...blank, ...end, payer: 'ours' })
      return { state: 'failed', code: error.code, reason: error.message, evidence: 'the sandbox network sent nothing' }
    }
  }

  #invoiceStatus(paymentHash: string): InvoiceStatus | undefined {
    const { file, clock } = this.#parts
    const invoice = this.#ownInvoice(paymentHash)
    if (invoice === undefined) return undefined
    const arrival = file.arrival(paymentHash)
    if (arrival !== undefined) {
      const { amount, preimage, at } = arrival
      return { state: 'settled', received: amount, preimage, settledAt: new Date(at) }
    }
    // People who were told "closed" rely on it, so an expired invoice stays closed even if the clock is set back.
    if (invoice.state === 'open' && clock.now() >= invoice.expiresAt) file.endInvoice(paymentHash, 'closed')
    else if (invoice.state === 'open') return { state: 'open' }
    return { state: 'closed' }
  }

  /** Records a payment and takes its sats. Throws NoRoute, which undoes both, if the payment cannot leave. */
  #depart(draft: Draft, maxFee: Msats): { payment: PaymentRow; fault: FaultRow | undefined } {
    const { file, clock } = this.#parts
    let fee = this.#feeFor(draft.amount)
    if (fee > maxFee) throw new NoRoute(`the cheapest route costs ${fee} msats, more than the limit of ${maxFee}`)
    const fault = file.takeFault()
    if (fault?.kind === 'overcharge') fee = msats(maxFee + fee)
    if (!file.debit('ours', draft.amount + fee)) throw new NoRoute('our node has too little to send', 'no_liquidity')
    const fails = fault?.kind === 'fail' || fault?.kind === 'unknown-then-failed'
    const delayMs = this.#delayOf(fault)
    const at = clock.now()
    const payment = file.addPayment({
      ...draft,
      payer: 'ours',
      fee,
      state: 'pending',
      endsAs: fails ? 'failed' : 'paid',
      reason: fails ? `no route could carry the payment (sandbox fault ${fault.kind})` : '',
      dueAt: delayMs === undefined ? null : at + delayMs,
      at,
    })
    return { payment, fault }
  }

  /** Returns how long a payment is delayed; undefined if it is delayed until its release. */
  #delayOf(fault: FaultRow | undefined): number | undefined {
    if (fault?.delayMs !== undefined && fault.delayMs !== null) return fault.delayMs
    if (fault?.kind === 'hang') return undefined
    return fault?.kind.startsWith('unknown') ? LATE_MS : this.#parts.latencyMs
  }

  #readInvoice(request: PayRequest): { invoice: Invoice; amount: Msats } {
    const { file, clock } = this.#parts
    const invoice = readOrNoRoute(request.invoice)
    if (invoice.network !== NETWORK) throw new NoRoute(`the invoice is for ${invoice.network}, not for ${NETWORK}`)
    if (invoice.paymentHash !== request.paymentHash) throw new NoRoute('the payment hash is not that of the invoice')
    if (invoice.payee === this.#parts.pubkeys.ours) throw new NoRoute('the invoice is one of our own node')
    if (isExpired(invoice, clock.now())) throw new NoRoute('the invoice has expired', 'invoice_expired')
    const known = file.invoice(invoice.paymentHash)
    if (known?.invoice !== invoice.text || known.owner === 'ours') throw new NoRoute('there is no route to the payee')
    if (known.state !== 'open') throw new NoRoute('the payee does not accept this payment any more', 'refused_by_payee')
    if (invoice.amount !== undefined && request.amount !== undefined)
      throw new NoRoute('the invoice has an amount already')
    const amount = invoice.amount ?? request.amount
    if (amount === undefined || amount < 1n) throw new NoRoute('the invoice has no amount, and none was given')
    return { invoice, amount }
  }

  #feeFor(amount: Msats): Msats {
    const { base, partsPerMillion } = this.#parts.routingFee
    return msats(base + (amount * BigInt(partsPerMillion) + 999_999n) / 1_000_000n)
  }

  #ownInvoice(paymentHash: string) {
    const invoice = this.#parts.file.invoice(paymentHash)
    return invoice?.owner === 'ours' ? invoice : undefined
  }
}

const BLANK = { amount: ZERO, preimage: '', tlvRecords: '[]' }

function readOrNoRoute(text: string): Invoice {
  try {
    return decodeInvoice(text)
  } catch (error) {
    if (error instanceof InvalidInvoice) throw new NoRoute(error.message)
    throw error
  }
}
