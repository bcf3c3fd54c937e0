import type { Network } from '../../lib/lightning/bolt11.ts'
import type { Msats } from '../../lib/money/amount.ts'

/**
 * What the service needs of a Lightning node: so little that LND, Core Lightning, phoenixd and NWC can each implement
 * it. Unless its description says otherwise, a method may throw; an error always means "not known", never "failed".
 */
export interface LightningBackend {
  /** The node's kind, as in LIGHTNING_BACKEND. A sandbox in another process also has the kind `sandbox`. */
  readonly kind: string
  /**
   * The node's abilities, as far as they are known: until the node's first answer, only those that every node of its
   * kind has. Read this property each time, and never store its value.
   */
  readonly capabilities: BackendCapabilities
  /**
   * Returns the node's identity. Asks the node each time, because another node may later answer at the same address.
   */
  info(): Promise<NodeInfo>
  /** Resolves to whether the node can work now. Never throws, and resolves within a few seconds. */
  health(): Promise<NodeHealth>
  balances(): Promise<NodeBalances>
  /** Returns the node's price for sending this amount if `feeLimit` is `tariff`; undefined otherwise. */
  tariff(amount: Msats): Msats | undefined
  /** Makes a BOLT11 invoice that pays our node. */
  createInvoice(request: InvoiceRequest): Promise<CreatedInvoice>
  /** Looks up one of our invoices at the node. Resolves to undefined if the node has never seen the hash. */
  lookUpInvoice(paymentHash: string): Promise<InvoiceStatus | undefined>
  /**
   * Makes an open invoice permanently unpayable. Resolves to `settled` if a payment was faster, and to `unknown` if the
   * node cannot say.
   */
  cancelInvoice(paymentHash: string): Promise<'canceled' | 'settled' | 'unknown'>
  /**
   * Requests an invoice from the maker of a BOLT12 offer. No sats move: `pay` accepts this invoice like any other, so
   * the payment hash is known before anything is sent. Call the method only if the node has `offers`, and with a name
   * only if the node has `bitcoinNames`.
   */
  fetchInvoice?(request: OfferRequest): Promise<OfferAnswer>
  /**
   * Creates an offer of our node that anybody can pay with any amount, any number of times. The same draft always
   * results in the same offer, so a lost answer does no harm. Resolves to undefined if the node's operator has disabled
   * that offer, in which case payers are refused. Call the method only if the node has `ownOffers`.
   */
  createOffer?(draft: OfferDraft): Promise<OwnOffer | undefined>
  /**
   * Pays an invoice and waits for the outcome, for at most `request.timeoutMs`. A repeated call for the same payment
   * hash never pays twice: while the first payment is open, or after it was paid, the answer is the first payment's
   * outcome. If that payment failed, the call pays again, so only the payment's sender may make the call.
   */
  pay(request: PayRequest): Promise<PaymentOutcome>
  /**
   * Pays a node without an invoice. The caller chooses the preimage, so the payment can be looked up by the preimage's
   * hash.
   */
  keysend(request: KeysendRequest): Promise<PaymentOutcome>
  /**
   * Looks up an outgoing payment's outcome, without waiting for its end. `absent` means that the node has no record of
   * the payment, which proves that nothing was sent only if no call to send it is under way. The resolver decides when
   * that is certain.
   */
  lookUpPayment(paymentHash: string): Promise<PaymentLookUp>
  /**
   * Returns the newest payments that left the node, no matter who sent them. The method is omitted if the node cannot
   * list them.
   */
  sentPayments?(most: number): Promise<readonly (SentPayment | OddRecord)[]>
  /**
   * Yields every settlement after `cursor` (undefined: from the beginning), in order, then each new one as it arrives,
   * until the signal aborts. Delivers each settlement at least once; the consumer stores the settlement's cursor
   * together with the credit. Throws when the connection breaks. A node that loses notifications may omit some
   * settlements; look-ups find those. An unreadable record is delivered as an OddRecord, and does not hold up later
   * settlements.
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
   * How a payment's fee is bounded. `exact`: the node respects `maxFee`. `tariff`: the node charges its own price,
   * which the method `tariff` returns beforehand. `none`: the node accepts no limit, and the operator bears the part of
   * a fee beyond the reserve.
   */
  readonly feeLimit: 'exact' | 'tariff' | 'none'
  /** Whether BOLT12 offers can be paid (`fetchInvoice`). */
  readonly offers: boolean
  /** Whether the node finds a Bitcoin name's offer (BIP-353), and checks the DNSSEC proof itself. */
  readonly bitcoinNames: boolean
  /** Whether the node makes offers that pay us (`createOffer`), and states the offer of each settlement. */
  readonly ownOffers: boolean
  readonly sendable: AmountRange
  readonly receivable: AmountRange
}

/** The smallest and the largest amount, both included. If `largest` is undefined, only balances limit amounts. */
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
 * The state of a node: `ready`, or why it is not ready: `away` (it does not answer), `starting` (it answers, but does
 * not work yet: locked, loading), `syncing` (behind the chain), `refused` (it does not accept our credentials or
 * certificate). The reason is a sentence for the operator: what is wrong and what to do.
 */
export type NodeHealth =
  | { readonly state: 'ready'; readonly height?: number }
  | { readonly state: 'away' | 'starting' | 'syncing' | 'refused'; readonly reason: string }

export type NotReady = Exclude<NodeHealth, { state: 'ready' }>

/** A node's balances in msats; undefined where the node does not report them. */
export interface NodeBalances {
  /**
   * Our sats as the books count them: settled on our side, including channel reserves, but excluding everything that is
   * leaving.
   */
  readonly settled: Msats
  /** Sats that are leaving the node, including fees. The sats of a payment that fails remain ours. */
  readonly inFlight: Msats | undefined
  /** Sats that are arriving but have not settled, so they are not ours yet. */
  readonly arriving?: Msats | undefined
  /**
   * Our sats that the node reserves for the fees of closing channels, and which `settled` therefore lacks. This sum
   * rises by some sats with each payment under way, and falls again afterwards.
   */
  readonly commitFees?: Msats | undefined
  /** The maximum that could leave now: `settled` without reserves. */
  readonly spendable: Msats | undefined
  /** The maximum that could arrive now. */
  readonly receivable: Msats | undefined
}

export interface InvoiceRequest {
  /** The amount; undefined if the payer decides it. */
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
  /**
   * The preimage in hex, if the node reveals it for an open invoice: the proof of payment for a payer inside our books.
   */
  readonly preimage?: string
}

/**
 * The state of one of our invoices. `closed`: the invoice was never paid and can no longer settle. `gone`: the node has
 * deleted an invoice that it made; nobody can pay the invoice any more, and the node cannot say whether anybody did.
 */
export type InvoiceStatus = { readonly state: 'open' | 'closed' | 'gone' } | ({ readonly state: 'settled' } & Arrival)

/** A node's report that it received a payment. */
export interface Arrival {
  readonly received: Msats
  /**
   * The preimage, which is the payer's proof; undefined if the node reports none, which does not affect the payment.
   */
  readonly preimage?: string | undefined
  readonly settledAt: Date
}

export interface OfferRequest {
  /** The payer. Each payer may have a few requests under way simultaneously. */
  readonly payer: string
  readonly to: { readonly offer: string } | { readonly name: string }
  /** The amount; undefined if the offer sets it. */
  readonly amount: Msats | undefined
  /** The payer's note to the payee, which may be empty. */
  readonly note: string
  readonly timeoutMs: number
}

/**
 * An unchecked invoice (`lni1…`), or the reason why there is none. `unknown-name`: there is no offer under this name,
 * or its proof is invalid. `name-unanswered`: the name could not be looked up. `unreachable`: there is no way to the
 * offer's maker, or no answer in time. `refused`: the maker refused, and `reason` contains the maker's own words.
 * `expired`: the offer has expired.
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
  /** The offer's id in settlements, in hex. */
  readonly id: string
  /** The offer itself (`lno1…`). */
  readonly text: string
}

export interface PayRequest {
  /** A BOLT 11 invoice, or an offer's invoice if the node has `offers`. */
  readonly invoice: string
  readonly paymentHash: string
  /** The amount, only for an invoice without one. */
  readonly amount: Msats | undefined
  /** The maximum fee. With `feeLimit: 'tariff'`, the service has already compared it with the tariff. */
  readonly maxFee: Msats
  /** The time limit, after which the outcome is `pending` or `unknown`. */
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
  /** The record's value in hex. */
  readonly value: string
}

/** Why a payment failed, as far as this matters for the next step. */
export type FailureCode =
  /** No route, or none below the fee limit. */
  | 'no_route'
  /** No route worked before the node's time for the payment was over. */
  | 'timed_out'
  /** Our node has too little on its side, so the operator must act. */
  | 'no_liquidity'
  | 'invoice_expired'
  /** The payee refuses the payment: the invoice was paid or canceled, or has expired. */
  | 'refused_by_payee'
  /** The node refused the request itself, and sent nothing. */
  | 'refused_by_node'
  | 'other'

/**
 * A payment's outcome. `paid`: the fee is undefined if the node does not report it. The preimage is unchecked, and
 * empty if there is none, so the caller must compare it with the payment hash. `failed`: there is proof that the
 * payment can never settle. `pending`: the node reports no end yet. `unknown`: there is no proof, after a timeout, a
 * lost connection or an unreadable answer.
 */
export type PaymentOutcome =
  | { readonly state: 'paid'; readonly preimage: string; readonly fee: Msats | undefined }
  | { readonly state: 'failed'; readonly code: FailureCode; readonly reason: string; readonly evidence: string }
  | {
      readonly state: 'pending' | 'unknown'
      readonly evidence: string
      /** The time, in milliseconds since 1970, from which the node no longer retries and can be asked again. */
      readonly retriesUntil?: number
    }

export type PaymentLookUp = PaymentOutcome | { readonly state: 'absent' }

/** A payment that was sent, as the node lists it. */
export interface SentPayment {
  readonly paymentHash: string
  readonly amount: Msats
  readonly at: Date
}

/** A payment that was, or seems to have been, received or sent, but whose record at the node cannot be read. */
export interface OddRecord {
  /** What is wrong with the record, for operators. */
  readonly odd: string
  /** The payment hash, if at least that can be read. */
  readonly paymentHash?: string
}

export interface Settlement extends Arrival {
  /**
   * Where the stream continues after this settlement. A settlement has the same cursor at each delivery. If the node
   * has no index of settlements, the cursor consists of the time and the payment hash. Undefined if the node does not
   * report the time of payment: the settlement then has no place in the order, and is delivered again by each stream.
   */
  readonly cursor: string | undefined
  readonly paymentHash: string
  /** Whether the payment is a keysend to us, for which we made no invoice. */
  readonly keysend: boolean
  /**
   * The offer, if the payment was made through an offer of our node, in which case the service has never seen its
   * invoice. `note` is the payer's text, of any length.
   */
  readonly offer?: { readonly id: string; readonly invoice: string; readonly note: string }
}
