import type { Network } from '../../lib/lightning/bolt11.ts'
import type { Msats } from '../../lib/money/amount.ts'

/**
 * The service's needs of a Lightning node: small enough that LND, Core Lightning, phoenixd and NWC can each be put
 * behind it. Every method may throw: that always means "not known", never "failed".
 */
export interface LightningBackend {
  /** The kind in LIGHTNING_BACKEND; `sandbox` also for one in another process. */
  readonly kind: string
  /**
   * The node's known abilities. A node that reports this itself is asked when its backend is made. Before its first
   * answer, this is the least that every node of its kind can do. Read it each time, never store it.
   */
  readonly capabilities: BackendCapabilities
  /** The node's identity. It asks the node each time: another node may answer at the same address later. */
  info(): Promise<NodeInfo>
  /** Whether the node can work now. It never throws, and answers within a few seconds. */
  health(): Promise<NodeHealth>
  balances(): Promise<NodeBalances>
  /** With `feeLimit: 'tariff'`: what the node charges for sending this amount. Undefined with any other. */
  tariff(amount: Msats): Msats | undefined
  /** Makes a BOLT11 invoice that pays our node. */
  createInvoice(request: InvoiceRequest): Promise<CreatedInvoice>
  /** Looks up one of our invoices at the node; undefined when the node has never seen the hash. */
  lookUpInvoice(paymentHash: string): Promise<InvoiceStatus | undefined>
  /**
   * Makes an open invoice unpayable for good. `settled` if the payment was faster; `unknown` if the node cannot say.
   */
  cancelInvoice(paymentHash: string): Promise<'canceled' | 'settled' | 'unknown'>
  /**
   * Asks the maker of a BOLT12 offer for an invoice. Nothing moves: `pay` takes that invoice like any other, so its
   * payment hash is known before anything is sent. Left out where the node has no `offers`; with a name, only where it
   * has `bitcoinNames`.
   */
  fetchInvoice?(request: OfferRequest): Promise<OfferAnswer>
  /**
   * Makes an offer of our node that anybody can pay, with any amount, as often as they like. The same texts give the
   * same offer, so a lost answer costs nothing. Undefined: the node's operator has disabled that offer, and payers are
   * refused. Left out where the node has no `ownOffers`.
   */
  createOffer?(draft: OfferDraft): Promise<OwnOffer | undefined>
  /**
   * Pays an invoice and waits for the end, at most `request.timeoutMs`. Calling it again for the same payment hash
   * never pays twice: while the first payment is open, or after it was paid, that one's end is the answer. It sends a
   * failed payment again, so only its sender may call it.
   */
  pay(request: PayRequest): Promise<PaymentOutcome>
  /** Pays a node without an invoice. The caller chooses the preimage, so the payment can be looked up by its hash. */
  keysend(request: KeysendRequest): Promise<PaymentOutcome>
  /**
   * Looks up the outcome of an outgoing payment; answers at once. `absent`: the node has no record of it, which proves
   * that nothing was sent only while nobody is sending. The resolver decides when that is certain.
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
  /** Permits amounts with a fraction of a sat. Otherwise they are refused before the node is asked. */
  readonly msats: boolean
  /**
   * Bounds of a payment's fee. `exact`: the node keeps to `maxFee`. `tariff`: the node's own price, known before
   * (`tariff`). `none`: the node takes no limit. What exceeds the reserve is the operator's loss.
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

/** In msats; undefined if the node cannot say. */
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
 * Purpose of an invoice, in words or as a hash. With `hash` (hex, the SHA-256 of `text`) the invoice has only the hash,
 * and the payer already has the text. Some nodes hash it themselves, and need the text.
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
 * `closed`: it was never paid and can no longer settle. `gone`: the node made it and has deleted it since. Nobody can
 * pay it any more, and the node cannot say whether somebody did.
 */
export type InvoiceStatus = { readonly state: 'open' | 'closed' | 'gone' } | ({ readonly state: 'settled' } & Arrival)

/** A node's report of something that it received. */
export interface Arrival {
  readonly received: Msats
  /** The payer's proof, from the node; undefined if the node gives none, which does not change the payment. */
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
 * An invoice (`lni1…`), not checked yet; or why there is none. `unknown-name`: there is no offer under this name, or
 * its proof is not valid. `name-unanswered`: the name could not be looked up. `unreachable`: no way to the offer's
 * maker, or no answer in time. `refused`: the maker refused; `reason` in its words. `expired`: the offer has.
 */
export type OfferAnswer =
  | { readonly state: 'fetched'; readonly invoice: string }
  | {
      readonly state: 'unknown-name' | 'name-unanswered' | 'unreachable' | 'refused' | 'expired'
      readonly reason: string
    }

/** The terms of an offer of ours. Two offers that say the same are one and the same to the node. */
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
  /** BOLT 11; or of an offer, if the node has `offers`. */
  readonly invoice: string
  readonly paymentHash: string
  /** Only for an invoice without an amount. */
  readonly amount: Msats | undefined
  /** Highest cost of sending. Without `feeLimit: 'exact'` the service has compared it with the tariff before. */
  readonly maxFee: Msats
  /** After this time the outcome is `pending` or `unknown`. */
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

/** Why a payment failed, as far as somebody has to act. */
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
 * The ends of a payment. `paid` with a fee that is undefined if the node does not say it, and with the preimage as
 * the node tells it, empty for none: the caller who believes it compares it with the payment hash. `failed` only with
 * proof that it can never settle. `pending`: the node says that it has not ended. `unknown`: no proof, after a timeout,
 * a lost connection or an unreadable answer.
 */
export type PaymentOutcome =
  | { readonly state: 'paid'; readonly preimage: string; readonly fee: Msats | undefined }
  | { readonly state: 'failed'; readonly code: FailureCode; readonly reason: string; readonly evidence: string }
  | {
      readonly state: 'pending' | 'unknown'
      readonly evidence: string
      /** Milliseconds since 1970: by then the node no longer retries by itself, and is worth asking again. */
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
   * Where to go on after it. The same at each delivery of one settlement; made of time and payment hash if the node has
   * no index of settlements. Undefined if the node does not say when it was paid: it has no place in the order, and
   * comes again with each stream.
   */
  readonly cursor: string | undefined
  readonly paymentHash: string
  /** A keysend to us has no invoice of ours. */
  readonly keysend: boolean
  /**
   * Paid by an offer of our node: the service has never seen its invoice. `note`: what the payer wrote, of any length.
   */
  readonly offer?: { readonly id: string; readonly invoice: string; readonly note: string }
}
