import { createHash } from 'node:crypto'
import { decodeInvoice } from '../../src/lib/lightning/bolt11.ts'
import { type Msats, msats } from '../../src/lib/money/amount.ts'
import type {
  InvoiceStatus,
  OfferAnswer,
  OfferDraft,
  OfferRequest,
  OwnOffer,
  Settlement,
} from '../../src/payments-service/backends/backend.ts'
import {
  type OutsidePayment,
  OutsideWalletRefusal,
} from '../../src/payments-service/backends/sandbox/outside-wallet.ts'
import type { SandboxNetwork } from '../../src/payments-service/backends/sandbox/sandbox-network.ts'
import type { OfferInvoices } from '../judge/offer-invoices.ts'
import { bolt12Text, REGTEST, shortInteger } from './bolt12-text.ts'
import type { Timeline } from './timeline.ts'

const INVOICE_SECONDS = 3_600

interface Arrived {
  readonly offer: NonNullable<Settlement['offer']>
  readonly payment: OutsidePayment
  readonly at: Date
}

/**
 * BOLT12 in this world, which the sandbox's nodes do not support: an external wallet's offers, whose invoices stand for
 * invoices of the sandbox with the same payment hash, and our node's offers, which that wallet pays without an invoice.
 * This object outlives the processes that call the node.
 */
export class Offers {
  readonly #sandbox: SandboxNetwork
  readonly #timeline: Timeline
  readonly #given: OfferInvoices
  /** The external wallet's offers: the amount of each, or undefined if the payer chooses. */
  readonly #outside = new Map<string, bigint | undefined>()
  /** Our node's offers: the id of each, by its text. */
  readonly #own = new Map<string, string>()
  readonly #paying = new Set<Promise<unknown>>()
  readonly #arrived = new Map<string, Arrived>()

  constructor(sandbox: SandboxNetwork, timeline: Timeline, given: OfferInvoices) {
    this.#sandbox = sandbox
    this.#timeline = timeline
    this.#given = given
  }

  /** Makes an offer of the external wallet; returns its text. */
  ofOutside(amount?: bigint): string {
    const text = offerText('somebody out there', amount, String(this.#outside.size))
    this.#outside.set(text, amount)
    return text
  }

  /** Returns the answer of an offer's maker to our node, which wants to pay the offer. */
  answer({ to, amount }: OfferRequest): OfferAnswer {
    const offer = 'offer' in to ? to.offer : ''
    const due = amount ?? this.#outside.get(offer)
    if (!this.#outside.has(offer) || due === undefined) return { state: 'unreachable', reason: 'nobody answers' }
    const made = this.#sandbox.outside.createInvoice({ amount: msats(due), expiresInSeconds: INVOICE_SECONDS })
    const invoice = invoiceText(due, made.paymentHash, Math.floor(this.#timeline.now() / 1_000))
    this.#given.given(invoice, { offer, amount: due, onNetwork: made.invoice })
    return { state: 'fetched', invoice }
  }

  /** Makes an offer of our node. */
  create({ description, issuer }: OfferDraft): OwnOffer {
    const text = offerText(description, undefined, issuer)
    const id = createHash('sha256').update(text).digest('hex')
    this.#own.set(text, id)
    return { id, text }
  }

  /** Makes the external wallet pay an offer of our node. Rejects with OutsideWalletRefusal if it cannot pay. */
  async pay(text: string, amount: Msats, note: string): Promise<OutsidePayment> {
    const id = this.#own.get(text)
    if (id === undefined) throw new OutsideWalletRefusal('no_route', 'Nobody in this network made this offer.')
    const paying = this.#sandbox.outside.keysend(amount)
    this.#paying.add(paying)
    const payment = await paying.finally(() => this.#paying.delete(paying))
    const invoice = invoiceText(amount, payment.paymentHash, Math.floor(this.#timeline.now() / 1_000))
    this.#arrived.set(payment.paymentHash, {
      offer: { id, invoice, note },
      payment,
      at: new Date(this.#timeline.now()),
    })
    return payment
  }

  /** Returns the offer of our node behind a payment without an invoice. */
  async paidBy(paymentHash: string): Promise<Settlement['offer']> {
    // Our node may learn of a payment before the wallet has recorded it.
    await Promise.allSettled(this.#paying)
    return this.#arrived.get(paymentHash)?.offer
  }

  /** Returns our node's record of the invoice that it made itself for an offer; undefined if there is none. */
  status(paymentHash: string): InvoiceStatus | undefined {
    const arrived = this.#arrived.get(paymentHash)
    if (arrived === undefined) return undefined
    const { amount: received, preimage } = arrived.payment
    return { state: 'settled', received, preimage, settledAt: arrived.at }
  }

  /** Returns the sandbox's invoice for which the given invoice stands. */
  onNetwork(invoice: string): string {
    return this.#given.onNetwork(invoice)
  }

  /** Returns the payment hash of an invoice of either kind that was made here. */
  hashOf(invoice: string): string {
    return decodeInvoice(this.onNetwork(invoice)).paymentHash
  }
}

/** Returns an offer's text. `salt` makes offers with equal contents different, except our node's own. */
function offerText(description: string, amount: bigint | undefined, salt: string): string {
  const key = createHash('sha256').update(salt).digest()
  return bolt12Text('lno', [
    [2, REGTEST],
    ...(amount === undefined ? [] : [[8, shortInteger(amount)] as const]),
    [10, Buffer.from(description)],
    [22, Buffer.concat([Buffer.from([2]), key])],
  ])
}

function invoiceText(amount: bigint, paymentHash: string, createdAt: number): string {
  const hash = Buffer.from(paymentHash, 'hex')
  return bolt12Text('lni', [
    [10, Buffer.from('somebody out there')],
    [80, REGTEST],
    [164, shortInteger(BigInt(createdAt))],
    [166, shortInteger(BigInt(INVOICE_SECONDS))],
    [168, hash],
    [170, shortInteger(amount)],
    [176, Buffer.concat([Buffer.from([2]), hash])],
    [240, Buffer.concat([hash, hash])],
  ])
}
