import type { Network } from '../../lib/lightning/bolt11.ts'
import type { Msats } from '../../lib/money/amount.ts'

/**
 * The service's needs of a Lightning node: small enough that LND, Core Lightning, phoenixd and NWC can each be put
 * behind it. Every method may throw: that always means "not known", never "failed".
 */
export interface LightningBackend {
  /** As LIGHTNING_BACKEND names it; `sandbox` also where that is in another process. */
  readonly kind: string
  /**
   * The node's known abilities. A node that says so itself is asked while its backend is made; before its first answer
   * this is the least that every node of its kind can do. Read it each time, never store it.
   */
  readonly capabilities: BackendCapabilities
  /** The node's identity. It asks the node each time: behind one address another node may stand after a while. */
  info(): Promise<NodeInfo>
  /** Whether the node can work now. Never throws, and answers within a few seconds, whatever the node does. */
  health(): Promise<NodeHealth>
  balances(): Promise<NodeBalances>
  /** With `feeLimit: 'tariff'`: what the node charges for sending this amount. Undefined with any other. */
  tariff(amount: Msats): Msats | undefined
  /** Makes a BOLT11 invoice that pays our node. */
  createInvoice(request: InvoiceRequest): Promise<CreatedInvoice>
  /** Looks up one of our invoices at the node; undefined when the node has never seen the hash. */
  lookUpInvoice(paymentHash: string): Promise<InvoiceStatus | undefined>
  /**
   * Makes an open invoice unpayable for good. `settled` when the payment was faster; `unknown` when the node cannot
   * say.
   */
  cancelInvoice(paymentHash: string): Promise<'canceled' | 'settled' | 'unknown'>
  /**
   * Asks the maker of a BOLT12 offer for an invoice. Nothing moves: `pay` takes that invoice like any other, so that its
   * payment hash is known before anything is sent. Left out where the node has no `offers`; with a name, only where it
   * has `bitcoinNames`.
   */
  fetchInvoice?(request: OfferRequest): Promise<OfferAnswer>
  /**
   * Makes an offer of our node that anybody can pay, with any amount, as often as they like. Asked again for the same
   * texts it gives the same offer, so that a lost answer costs nothing. Undefined: the node's operator has disabled that
   * offer, and payers are refused. Left out where the node has no `ownOffers`.
   */
  createOffer?(draft: OfferDraft): Promise<OwnOffer | undefined>
  /**
   * Pays an invoice and waits for the end, at most `request.timeoutMs`. Calling it again for the same payment hash
   * never pays twice: while the first payment is open, or after it was paid, that one's end is the answer. A payment
   * that failed is sent again, so that only its sender may call this.
   */
  pay(request: PayRequest): Promise<PaymentOutcome>
  /**
   * Pays a node without an invoice. The caller chooses the preimage, so that the payment can be looked up by its hash.
   */
  keysend(request: KeysendRequest): Promise<PaymentOutcome>
  /**
   * Looks up the outcome of an outgoing payment; answers at once. `absent`: the node has no record of it, which proves
   * that nothing was sent only while nobody is still sending; the resolver decides when that is certain.
   */
  lookUpPayment(paymentHash: string): Promise<PaymentLookUp>
  /** The newest payments that left the node, no matter who sent them. Left out where a node cannot list them. */
  sentPayments?(most: number): Promise<readonly (SentPayment | OddRecord)[]>
  /**
   * Every settlement after `cursor` (undefined: from the beginning), in order, then each new one as it happens, until
   * the signal aborts. A settlement is delivered at least once; its consumer saves the cursor with the credit. Throws
   * when the connection breaks. A node that loses notifications may leave some out: look-ups find those. A record that
   * cannot be read is delivered as odd, in its place, and those behind it follow.
   */
  settledInvoices(cursor: string | undefined, signal: AbortSignal): AsyncIterable<Settlement | OddRecord>
  close(): Promise<void>
}

export interface BackendCapabilities {
  readonly keysend: boolean
  /** Invoices can carry a description hash, which LNURL-pay needs (LUD-06). */
  readonly descriptionHash: boolean
  readonly cancelInvoice: boolean
  /**
   * Amounts with a fraction of a sat can be asked for and sent; without it they are refused before the node is asked.
   */
  readonly msats: boolean
  /**
   * Bounds of a payment's fee. `exact`: the node keeps to `maxFee`. `tariff`: the node's own price, known before
   * (`tariff`). `none`: nothing that we can tell the node; what exceeds the reserve is the operator's loss.
   */
  readonly feeLimit: 'exact' | 'tariff' | 'none'
  /** BOLT12 offers can be paid (`fetchInvoice`). */
  readonly offers: boolean
  /** The node finds the offer of a Bitcoin name (BIP-353), and checks the DNSSEC proof itself. */
  readonly bitcoinNames: boolean
  /** The node makes offers that we are paid by, and each settlement says by which (`createOffer`). */
  readonly ownOffers: boolean
  readonly sendable: AmountRange
  readonly receivable: AmountRange
}

/** The smallest and the largest amount, both included. `largest` undefined: only balances bound it. */
export interface AmountRange {
  readonly smallest: Msats
  readonly largest?: Msats
}

export interface NodeInfo {
  /** Hex public key of the node. */
  readonly pubkey: string
  readonly alias: string
  readonly network: Network
}

/**
 * `ready`, or why not: `away` (it does not answer), `starting` (it answers, and does not work yet: locked, loading),
 * `syncing` (behind the chain), `refused` (it does not accept our credentials or certificate). The reason is a sentence
 * for the operator: what is wrong and what to do.
 */
export type NodeHealth =
  | { readonly state: 'ready'; readonly height?: number }
  | { readonly state: 'away' | 'starting' | 'syncing' | 'refused'; readonly reason: string }

/** In msats; undefined where the node cannot say. */
export interface NodeBalances {
  /** Ours, as the books count it: settled on our side, channel reserves included, nothing that is on its way out. */
  readonly settled: Msats
  /** On its way out of the node, fees included: still ours if it fails. */
  readonly inFlight: Msats | undefined
  /** On its way in, not settled: not ours yet. */
  readonly arriving?: Msats | undefined
  /**
   * The part of `settled` that the node keeps back for the fee of closing channels. It rises by some sats with each
   * payment under way, and falls again.
   */
  readonly commitFees?: Msats | undefined
  /** The most that could leave now: `settled` without reserves. */
  readonly spendable: Msats | undefined
  /** The most that could arrive now. */
  readonly receivable: Msats | undefined
}

export interface InvoiceRequest {
  /** Undefined: the payer decides the amount. */
  readonly amount: Msats | undefined
  readonly description: InvoiceDescription
  readonly expiresInSeconds: number
}

/**
 * Purpose of an invoice, in words or as a hash. With `hash` (hex, the SHA-256 of `text`) the invoice carries the hash
 * alone, and the payer has the text already; some nodes hash it on their own, and need the text.
 */
export interface InvoiceDescription {
  readonly text: string
  readonly hash?: string
}

export interface CreatedInvoice {
  readonly invoice: string
  readonly paymentHash: string
  readonly expiresAt: Date
  /** Hex, where the node says it of an open invoice: the proof of payment for a payer inside our books. */
  readonly preimage?: string
}

/**
 * `closed`: it was never paid and can no longer settle, whatever happens. `gone`: the node made it and has deleted it
 * since; nobody can pay it any more, and the node cannot say whether somebody did before.
 */
export type InvoiceStatus = { readonly state: 'open' | 'closed' | 'gone' } | ({ readonly state: 'settled' } & Arrival)

/** A node's report of something that it received. */
export interface Arrival {
  readonly received: Msats
  /**
   * The payer's proof, as the node tells it; undefined where it tells none, which leaves the payer without a proof and
   * makes the payment no less ours.
   */
  readonly preimage?: string | undefined
  readonly settledAt: Date
}

export interface OfferRequest {
  /** The payer: each has a few requests under way at once. */
  readonly payer: string
  readonly to: { readonly offer: string } | { readonly name: string }
  /** Undefined: the offer says how much. */
  readonly amount: Msats | undefined
  /** The payer's note to the payee; may be empty. */
  readonly note: string
  readonly timeoutMs: number
}

/**
 * An invoice (`lni1…`), not checked yet; or why there is none. `unknown-name`: there is no offer under this name, or its
 * proof is not valid. `name-unanswered`: the name could not be looked up. `unreachable`: no way to the offer's maker, or no answer in time. `refused`: the maker said no;
 * `reason` in its words. `expired`: the offer has.
 */
export type OfferAnswer =
  | { readonly state: 'fetched'; readonly invoice: string }
  | {
      readonly state: 'unknown-name' | 'name-unanswered' | 'unreachable' | 'refused' | 'expired'
      readonly reason: string
    }

/** The terms that an offer of ours shows its payers. Two offers that say the same are one and the same to the node. */
export interface OfferDraft {
  readonly description: string
  readonly issuer: string
}

export interface OwnOffer {
  /** Its id in settlements: hex. */
  readonly id: string
  /** `lno1…` */
  readonly text: string
}

export interface PayRequest {
  /** BOLT 11; or of an offer, where the node has `offers`. */
  readonly invoice: string
  readonly paymentHash: string
  /** Only for an invoice without an amount. */
  readonly amount: Msats | undefined
  /** Highest cost of sending. Without `feeLimit: 'exact'` the service has compared it with the tariff before. */
  readonly maxFee: Msats
  /** After this time the outcome is `pending` or `unknown`, whatever the node does. */
  readonly timeoutMs: number
}

export interface KeysendRequest {
  readonly pubkey: string
  readonly amount: Msats
  readonly maxFee: Msats
  readonly preimage: string
  readonly paymentHash: string
  readonly tlvRecords: readonly TlvRecord[]
  readonly timeoutMs: number
}

export interface TlvRecord {
  readonly type: number
  /** Hex. */
  readonly value: string
}

/** Why a payment failed, as far as somebody has to act on it. */
export type FailureCode =
  /** No route, or none below the fee limit. */
  | 'no_route'
  /** No route worked before the node's time for the payment was over. */
  | 'timed_out'
  /** Our node has too little on its side: the operator must act. */
  | 'no_liquidity'
  | 'invoice_expired'
  /** The payee does not take it: the invoice was paid or canceled, or has expired. */
  | 'refused_by_payee'
  /** The node refused the request itself, and sent nothing. */
  | 'refused_by_node'
  | 'other'

/**
 * The ends of a payment. `paid` with a fee that is undefined where the node does not say it, and with the preimage as the
 * node tells it, empty for none: the caller who believes it compares it with the payment hash. `failed` only with proof
 * that it can never settle. `pending`: the node says that it has not ended. `unknown`: nobody could say; a timeout, a
 * lost connection and anything that cannot be read.
 */
export type PaymentOutcome =
  | { readonly state: 'paid'; readonly preimage: string; readonly fee: Msats | undefined }
  | { readonly state: 'failed'; readonly code: FailureCode; readonly reason: string; readonly evidence: string }
  | {
      readonly state: 'pending' | 'unknown'
      readonly evidence: string
      /** Milliseconds since 1970: by then the node has given up trying by itself, and is worth to be asked again. */
      readonly retriesUntil?: number
    }

export type PaymentLookUp = PaymentOutcome | { readonly state: 'absent' }

/** A payment that was sent, as the node lists it. */
export interface SentPayment {
  readonly paymentHash: string
  readonly amount: Msats
  readonly at: Date
}

/** Something was received or sent, or seems to be, and the node's record of it cannot be read. */
export interface OddRecord {
  /** Its fault, for operators. */
  readonly odd: string
  /** Where at least that can be read. */
  readonly paymentHash?: string
}

export interface Settlement extends Arrival {
  /**
   * Where to go on after it. The same at each delivery of one settlement; where a node has no index of settlements, it
   * is made of time and payment hash. Undefined where the node does not say when it was paid: it has no place in the
   * order, and comes again with each stream.
   */
  readonly cursor: string | undefined
  readonly paymentHash: string
  /** A keysend to us has no invoice of ours behind it. */
  readonly keysend: boolean
  /**
   * Paid by an offer of our node: the service has never seen its invoice. `note`: what the payer wrote, of any length.
   */
  readonly offer?: { readonly id: string; readonly invoice: string; readonly note: string }
}
