import type { Network } from '../../lib/lightning/bolt11.ts'
import type { Msats } from '../../lib/money/amount.ts'

/**
 * What the service needs of a Lightning node: small enough that LND, Core Lightning, phoenixd and NWC can each
 * implement it. Every method may throw. An error always means "not known", never "failed".
 */
export interface LightningBackend {
  /** The kind in LIGHTNING_BACKEND. A sandbox in another process is also `sandbox`. */
  readonly kind: string
  /**
   * The node's known abilities. A node that reports them itself is asked when its backend is created. Before its first
   * answer, this is the least that every node of its kind can do. Read it each time, and never store it.
   */
  readonly capabilities: BackendCapabilities
  /**
   * Returns the node's identity. Asks the node each time, because another node may later answer at the same address.
   */
  info(): Promise<NodeInfo>
  /** Whether the node can work now. Never throws, and answers within a few seconds. */
  health(): Promise<NodeHealth>
  balances(): Promise<NodeBalances>
  /** With `feeLimit: 'tariff'`: returns the node's price for sending this amount. Otherwise undefined. */
  tariff(amount: Msats): Msats | undefined
  /** Makes a BOLT11 invoice that pays our node. */
  createInvoice(request: InvoiceRequest): Promise<CreatedInvoice>
  /** Looks up one of our invoices at the node; undefined if the node has never seen the hash. */
  lookUpInvoice(paymentHash: string): Promise<InvoiceStatus | undefined>
  /**
   * Makes an open invoice permanently unpayable. `settled` if a payment was faster; `unknown` if the node cannot say.
   */
  cancelInvoice(paymentHash: string): Promise<'canceled' | 'settled' | 'unknown'>
  /**
   * Asks the maker of a BOLT12 offer for an invoice. Nothing moves: `pay` takes that invoice like any other, so its
   * payment hash is known before anything is sent. Omitted if the node lacks `offers`. Takes a name only if the node
   * has `bitcoinNames`.
   */
  fetchInvoice?(request: OfferRequest): Promise<OfferAnswer>
  /**
   * Makes an offer of our node that anybody can pay, with any amount, any number of times. The same texts give the same
   * offer, so a lost answer does no harm. Undefined: the node's operator has disabled that offer, and payers are
   * refused. Omitted if the node lacks `ownOffers`.
   */
  createOffer?(draft: OfferDraft): Promise<OwnOffer | undefined>
  /**
   * Pays an invoice and waits for the outcome, at most `request.timeoutMs`. A repeated call for the same payment hash
   * never pays twice: while the first payment is open, or after it was paid, the answer is its outcome. The call sends
   * a failed payment again, so only its sender may call it.
   */
  pay(request: PayRequest): Promise<PaymentOutcome>
  /** Pays a node without an invoice. The caller chooses the preimage, so the payment can be looked up by its hash. */
  keysend(request: KeysendRequest): Promise<PaymentOutcome>
  /**
   * Looks up an outgoing payment's outcome, and answers immediately. `absent`: the node has no record of it, which
   * proves that nothing was sent only while nobody is sending. The resolver decides when that is certain.
   */
  lookUpPayment(paymentHash: string): Promise<PaymentLookUp>
  /** Returns the newest payments that left the node, no matter who sent them. Omitted if a node cannot list them. */
  sentPayments?(most: number): Promise<readonly (SentPayment | OddRecord)[]>
  /**
   * Yields every settlement after `cursor` (undefined: from the beginning), in order, then each new one as it happens,
   * until the signal aborts. Delivers each settlement at least once, and its consumer stores the cursor with the
   * credit. Throws when the connection breaks. A node that loses notifications may omit some settlements; look-ups find
   * those. An unreadable record is delivered as odd, in its place, and later ones follow.
   */
  settledInvoices(cursor: string | undefined, signal: AbortSignal): AsyncIterable<Settlement | OddRecord>
  close(): Promise<void>
}

export interface BackendCapabilities {
  readonly keysend: boolean
  /** Whether invoices can carry a description hash, which LNURL-pay needs (LUD-06). */
  readonly descriptionHash: boolean
  readonly cancelInvoice: boolean
  /** Whether amounts may have fractions of a sat. Otherwise fractions are refused before the node is asked. */
  readonly msats: boolean
  /**
   * How a payment's fee is bounded. `exact`: the node respects `maxFee`. `tariff`: the node's own price, known
   * beforehand (`tariff`). `none`: the node takes no limit, and the operator bears a fee beyond the reserve.
   */
  readonly feeLimit: 'exact' | 'tariff' | 'none'
  /** Whether BOLT12 offers can be paid (`fetchInvoice`). */
  readonly offers: boolean
  /** Whether the node finds a Bitcoin name's offer (BIP-353), and checks the DNSSEC proof itself. */
  readonly bitcoinNames: boolean
  /** Whether the node makes offers that pay us, and each settlement names its offer (`createOffer`). */
  readonly ownOffers: boolean
  readonly sendable: AmountRange
  readonly receivable: AmountRange
}

/** The smallest and the largest amount, both included. `largest` undefined: only balances limit it. */
export interface AmountRange {
  readonly smallest: Msats
  readonly largest?: Msats
}

export interface NodeInfo {
  /** The node's public key in hex. */
  readonly pubkey: string
  readonly alias: string
  readonly network: Network
}

/**
 * `ready`, or why not: `away` (it does not answer), `starting` (it answers, but does not work yet: locked, loading),
 * `syncing` (behind the chain), `refused` (it does not accept our credentials or certificate). The reason is a sentence
 * for the operator: what is wrong and what to do.
 */
export type NodeHealth =
  | { readonly state: 'ready'; readonly height?: number }
  | { readonly state: 'away' | 'starting' | 'syncing' | 'refused'; readonly reason: string }

export type NotReady = Exclude<NodeHealth, { state: 'ready' }>

/** Amounts in msats; undefined if the node does not know. */
export interface NodeBalances {
  /**
   * Our sats as the books count them: settled on our side, including channel reserves, excluding everything that is
   * leaving.
   */
  readonly settled: Msats
  /** Sats that are leaving the node, including fees. These sats stay ours if the payment fails. */
  readonly inFlight: Msats | undefined
  /** Sats that are arriving but not settled, so not ours yet. */
  readonly arriving?: Msats | undefined
  /**
   * The part of `settled` that the node reserves for the fee of closing channels. It rises by some sats with each
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
 * An invoice's purpose, as text or as a hash. With `hash` (hex, the SHA-256 of `text`), the invoice contains only the
 * hash, and the payer already has the text. Some nodes hash the text themselves, so they need the text.
 */
export interface InvoiceDescription {
  readonly text: string
  readonly hash?: string
}

export interface CreatedInvoice {
  readonly invoice: string
  readonly paymentHash: string
  readonly expiresAt: Date
  /** In hex, if the node reveals it for an open invoice: the proof of payment for a payer inside our books. */
  readonly preimage?: string
}

/**
 * `closed`: it was never paid and can no longer settle. `gone`: the node made it and has deleted it since. Nobody can
 * pay it any more, and the node cannot say whether somebody did.
 */
export type InvoiceStatus = { readonly state: 'open' | 'closed' | 'gone' } | ({ readonly state: 'settled' } & Arrival)

/** A node's report that it received a payment. */
export interface Arrival {
  readonly received: Msats
  /** The payer's proof from the node; undefined if the node gives none, which does not change the payment. */
  readonly preimage?: string | undefined
  readonly settledAt: Date
}

export interface OfferRequest {
  /** The payer. Each payer may have a few requests under way simultaneously. */
  readonly payer: string
  readonly to: { readonly offer: string } | { readonly name: string }
  /** Undefined: the offer names the amount. */
  readonly amount: Msats | undefined
  /** The payer's note to the payee. It may be empty. */
  readonly note: string
  readonly timeoutMs: number
}

/**
 * An unchecked invoice (`lni1…`), or why there is none. `unknown-name`: there is no offer under this name, or its proof
 * is invalid. `name-unanswered`: the name could not be looked up. `unreachable`: there is no way to the offer's maker,
 * or no answer in time. `refused`: the maker refused; `reason` is in their words. `expired`: the offer has expired.
 */
export type OfferAnswer =
  | { readonly state: 'fetched'; readonly invoice: string }
  | {
      readonly state: 'unknown-name' | 'name-unanswered' | 'unreachable' | 'refused' | 'expired'
      readonly reason: string
    }

/** The terms of our offer. The node treats two offers with the same terms as one. */
export interface OfferDraft {
  readonly description: string
  readonly issuer: string
}

export interface OwnOffer {
  /** Its id in settlements, in hex. */
  readonly id: string
  /** The offer (`lno1…`). */
  readonly text: string
}

export interface PayRequest {
  /** A BOLT 11 invoice, or an offer's invoice if the node has `offers`. */
  readonly invoice: string
  readonly paymentHash: string
  /** Only for an invoice without an amount. */
  readonly amount: Msats | undefined
  /** The highest fee. Without `feeLimit: 'exact'`, the service has already compared it with the tariff. */
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
  /** In hex. */
  readonly value: string
}

/** Why a payment failed, as far as somebody has to act on it. */
export type FailureCode =
  /** No route, or none below the fee limit. */
  | 'no_route'
  /** No route worked before the node's time for the payment was over. */
  | 'timed_out'
  /** Our node has too little on its side, so the operator must act. */
  | 'no_liquidity'
  | 'invoice_expired'
  /** The payee refuses it: the invoice was paid or canceled, or has expired. */
  | 'refused_by_payee'
  /** The node refused the request itself, and sent nothing. */
  | 'refused_by_node'
  | 'other'

/**
 * A payment's outcome. `paid`: the fee is undefined if the node does not report it. The preimage is unchecked, and
 * empty if there is none, so the caller must compare it with the payment hash. `failed`: only with proof that it can
 * never settle. `pending`: the node reports no end yet. `unknown`: there is no proof, after a timeout, a lost
 * connection or an unreadable answer.
 */
export type PaymentOutcome =
  | { readonly state: 'paid'; readonly preimage: string; readonly fee: Msats | undefined }
  | { readonly state: 'failed'; readonly code: FailureCode; readonly reason: string; readonly evidence: string }
  | {
      readonly state: 'pending' | 'unknown'
      readonly evidence: string
      /** In milliseconds since 1970. From then on the node no longer retries, so ask it again. */
      readonly retriesUntil?: number
    }

export type PaymentLookUp = PaymentOutcome | { readonly state: 'absent' }

/** A payment that was sent, as the node lists it. */
export interface SentPayment {
  readonly paymentHash: string
  readonly amount: Msats
  readonly at: Date
}

/** A payment that was, or seems to have been, received or sent, and whose record at the node cannot be read. */
export interface OddRecord {
  /** What is wrong with it, for operators. */
  readonly odd: string
  /** If at least the payment hash can be read. */
  readonly paymentHash?: string
}

export interface Settlement extends Arrival {
  /**
   * Where the stream continues after this settlement. The cursor is the same at each delivery of one settlement. If the
   * node has no index of settlements, the cursor consists of the time and the payment hash. Undefined if the node does
   * not report the time of payment: the settlement then has no place in the order, and comes again with each stream.
   */
  readonly cursor: string | undefined
  readonly paymentHash: string
  /** Whether it is a keysend to us, for which we made no invoice. */
  readonly keysend: boolean
  /**
   * Set if it was paid through our node's offer, so that the service has never seen its invoice. `note`: the payer's
   * text, of any length.
   */
  readonly offer?: { readonly id: string; readonly invoice: string; readonly note: string }
}
