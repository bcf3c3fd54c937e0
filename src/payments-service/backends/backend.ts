import type { Msats } from '../../lib/amount.ts'
import type { Network } from '../../lib/bolt11.ts'

/**
 * What the service needs from a Lightning node, and nothing else: small enough that LND, Core Lightning, phoenixd and
 * NWC can each be put behind it. Every method may throw: that always means "not known", never "failed".
 */
export interface LightningBackend {
  readonly capabilities: BackendCapabilities
  info(): Promise<NodeInfo>
  /** Makes a BOLT11 invoice that pays our node. */
  createInvoice(request: InvoiceRequest): Promise<CreatedInvoice>
  /** What the node knows of one of our invoices; undefined when it has never seen the hash. */
  lookUpInvoice(paymentHash: string): Promise<InvoiceStatus | undefined>
  /** Makes an open invoice unpayable for good. `settled` when the payment was faster; `unknown` when the node cannot say. */
  cancelInvoice(paymentHash: string): Promise<'canceled' | 'settled' | 'unknown'>
  /** Pays an invoice and waits for the end. Calling it again for the same payment hash never pays twice. */
  pay(request: PayRequest): Promise<PaymentOutcome>
  /** Pays a node without an invoice. The caller chooses the preimage, so that the payment can be looked up by its hash. */
  keysend(request: KeysendRequest): Promise<PaymentOutcome>
  /**
   * What became of an outgoing payment. `absent`: the node has no record of it, which proves that nothing was sent only
   * while nobody is still sending; the resolver decides when that is certain.
   */
  lookUpPayment(paymentHash: string): Promise<PaymentOutcome | { readonly state: 'absent' }>
  /**
   * Every settlement after `cursor` (undefined: from the beginning), in order, then each new one as it happens, until
   * the signal aborts. A settlement is delivered at least once; whoever credits it saves the cursor with the credit.
   */
  settledInvoices(cursor: string | undefined, signal: AbortSignal): AsyncIterable<Settlement>
  close(): Promise<void>
}

export interface BackendCapabilities {
  readonly keysend: boolean
  /** Invoices can carry a description hash, which LNURL-pay needs (LUD-06). */
  readonly descriptionHash: boolean
  readonly cancelInvoice: boolean
  /** Amounts with a fraction of a sat can be asked for and sent; without it they are refused before the node is asked. */
  readonly msats: boolean
}

export interface NodeInfo {
  /** Hex public key of the node. */
  readonly pubkey: string
  readonly alias: string
  readonly network: Network
}

export interface InvoiceRequest {
  /** Undefined: the payer decides the amount. */
  readonly amount: Msats | undefined
  /** Either the text itself or the SHA-256 of a text that the payer has already (hex). */
  readonly description: { readonly text: string } | { readonly hash: string }
  readonly expiresInSeconds: number
}

export interface CreatedInvoice {
  readonly invoice: string
  readonly paymentHash: string
  readonly expiresAt: Date
  /** Hex, where the node says it of an open invoice: the proof of payment of whoever pays it inside our books. */
  readonly preimage?: string
}

export interface InvoiceStatus {
  /** `closed`: it was never paid and can no longer settle, whatever happens. */
  readonly state: 'open' | 'settled' | 'closed'
  /** What arrived, when settled. At least the face value; a payer may send more. */
  readonly received?: Msats
  readonly preimage?: string
  readonly settledAt?: Date
}

export interface PayRequest {
  readonly invoice: string
  readonly paymentHash: string
  /** Only for an invoice without an amount. */
  readonly amount: Msats | undefined
  /**
   * What sending may cost at most. A node that cannot be told so must be kept from it: the payment fails, unsent, unless
   * the node's own tariff says that it costs no more.
   */
  readonly maxFee: Msats
}

export interface KeysendRequest {
  readonly pubkey: string
  readonly amount: Msats
  readonly maxFee: Msats
  readonly preimage: string
  readonly paymentHash: string
  readonly tlvRecords: readonly TlvRecord[]
}

export interface TlvRecord {
  readonly type: number
  /** Hex. */
  readonly value: string
}

/**
 * The three ends of a payment. `failed` only with proof that it can never settle; a timeout, a lost connection and
 * anything that cannot be read are `unknown`.
 */
export type PaymentOutcome =
  | { readonly state: 'paid'; readonly preimage: string; readonly fee: Msats }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'unknown'; readonly evidence: string }

export interface Settlement {
  readonly cursor: string
  readonly paymentHash: string
  readonly received: Msats
  readonly preimage: string
  readonly settledAt: Date
  /** A keysend to us has no invoice of ours behind it. */
  readonly keysend: boolean
}
