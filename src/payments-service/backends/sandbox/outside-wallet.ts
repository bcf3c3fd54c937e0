import { type Clock, pause } from '../../../lib/clock.ts'
import type { Entropy } from '../../../lib/entropy.ts'
import { decodeInvoice, type Invoice, isExpired, publicKey } from '../../../lib/lightning/bolt11.ts'
import { decodeLnurl, type LnurlOptions, looksLikeLnurl, parseLightningAddress } from '../../../lib/lightning/lnurl.ts'
import {
  askToPay,
  askToWithdraw,
  claimWithdrawal,
  type LnurlFetch,
  requestInvoice,
} from '../../../lib/lightning/lnurl-client.ts'
import type { SuccessAction } from '../../../lib/lightning/success-action.ts'
import { type Msats, msats, ZERO } from '../../../lib/money/amount.ts'
import type { CreatedInvoice, InvoiceRequest, TlvRecord } from '../backend.ts'
import type { Arrivals } from './arrivals.ts'
import { createInvoice, hashOf, NETWORK } from './invoicing.ts'
import type { ArrivalRow, InvoiceRow, NetworkFile, NodeName, PaymentRow } from './network-file.ts'

export interface OutsideWalletParts {
  readonly file: NetworkFile
  readonly clock: Clock
  readonly entropy: Entropy
  readonly arrivals: Arrivals
  /** How long a payment takes, by the clock. */
  readonly latencyMs: number
  /** The fetch by which this wallet reaches LNURL services. */
  readonly fetch: LnurlFetch
  readonly lnurl: LnurlOptions
  /** The node that holds the wallet's sats. Default: the node of the wallet without a name. */
  readonly node?: Exclude<NodeName, 'ours'>
}

/** The refusal of a request that a wallet cannot carry out; nothing was paid. `message` is a sentence for a person. */
export class OutsideWalletRefusal extends Error {
  override readonly name = 'OutsideWalletRefusal'
  /** A stable code in snake_case. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export interface OutsidePayment {
  readonly preimage: string
  readonly paymentHash: string
  readonly amount: Msats
  /** The receiver's message for the payer (LUD-09). */
  readonly successAction?: SuccessAction | undefined
}

/** An invoice of the wallet, or a payment that the wallet received without an invoice. */
export interface OutsideReceipt {
  readonly paymentHash: string
  readonly state: 'open' | 'paid' | 'expired'
  readonly kind: 'invoice' | 'keysend'
  /**
   * The received amount; before the payment, the invoice's amount, or undefined if the invoice leaves the amount open.
   */
  readonly amount: Msats | undefined
  /** The preimage, which is set only after the payment, like the time in the next field. */
  readonly preimage: string | undefined
  readonly paidAt: Date | undefined
  readonly tlvRecords: readonly TlvRecord[]
}

export interface HistoryEntry {
  readonly direction: 'sent' | 'received'
  readonly kind: 'invoice' | 'keysend'
  readonly paymentHash: string
  readonly preimage: string
  readonly amount: Msats
  /** The invoice's purpose; empty if there is none. */
  readonly description: string
  readonly at: Date
}

const INVOICE_LIFE_SECONDS = 3600

/** The largest multiple of an invoice's amount that a receiver accepts (BOLT4). */
const MAX_OVERPAID = 2n

/**
 * A wallet outside the service. The wallet without a name stands for the rest of the Lightning network: for every payer
 * and payee in a demo or a test. Each other wallet belongs to one person.
 */
export class OutsideWallet {
  readonly #parts: OutsideWalletParts
  readonly #node: Exclude<NodeName, 'ours'>
  readonly #pubkey: string

  constructor(parts: OutsideWalletParts) {
    this.#parts = parts
    this.#node = parts.node ?? 'outside'
    this.#pubkey = publicKey(parts.file.privateKey(this.#node))
  }

  /** Returns the wallet's balance, and its node's public key. */
  wallet(): { balance: Msats; pubkey: string } {
    return { balance: this.#parts.file.balance(this.#node), pubkey: this.#pubkey }
  }

  createInvoice(request: Partial<InvoiceRequest> = {}): CreatedInvoice {
    const description = request.description ?? { text: '' }
    const created = createInvoice(this.#parts, this.#node, {
      amount: request.amount,
      description,
      expiresInSeconds: request.expiresInSeconds ?? INVOICE_LIFE_SECONDS,
    })
    if ('text' in description) this.#parts.file.keepMemo(created.paymentHash, description.text)
    return created
  }

  /**
   * Pays another node's invoice, an LNURL-pay code or a Lightning Address. `amount` is needed if the receiver leaves
   * the amount open. An invoice may be paid with up to twice its amount. Throws OutsideWalletRefusal, InvalidInvoice,
   * InvalidLnurl, LnurlProblem, and what the fetch throws.
   */
  async pay(request: string, amount?: Msats, comment?: string): Promise<OutsidePayment> {
    if (looksLikeLnurl(request)) return this.#payOffer(decodeLnurl(request, this.#parts.lnurl), amount, comment)
    if (request.includes('@')) {
      return this.#payOffer(parseLightningAddress(request, this.#parts.lnurl).url, amount, comment)
    }
    const invoice = decodeInvoice(request)
    return this.#payInvoice(invoice, amount, invoice.description ?? '')
  }

  /** Sends sats to our node without an invoice. Throws OutsideWalletRefusal if the wallet holds too little. */
  async keysend(amount: Msats, tlvRecords: readonly TlvRecord[] = []): Promise<OutsidePayment> {
    const preimage = this.#parts.entropy.bytes(32).toString('hex')
    const paymentHash = hashOf(preimage)
    await this.#travel()
    this.#deliver({ kind: 'keysend', paymentHash, preimage, amount, tlvRecords: JSON.stringify(tlvRecords) })
    return { preimage, paymentHash, amount }
  }

  /**
   * Claims an LNURL-withdraw code, fast or not (LUD-03, LUD-08), for its full amount. Resolves as soon as the payer has
   * accepted the claim; `lookUp` shows when the sats arrived. Throws InvalidLnurl, LnurlProblem, and what the fetch
   * throws.
   */
  async claim(request: string): Promise<{ invoice: string; paymentHash: string; amount: Msats }> {
    const offer = await askToWithdraw(this.#parts.fetch, decodeLnurl(request, this.#parts.lnurl))
    const amount = msats(offer.maxWithdrawable)
    // An invoice's description may have 639 bytes. 150 characters are always fewer.
    const text = [...offer.defaultDescription].slice(0, 150).join('')
    const { invoice, paymentHash } = this.createInvoice({ amount, description: { text } })
    const durable = this.#parts.file.durable()
    if (durable !== undefined) await durable
    await claimWithdrawal(this.#parts.fetch, offer, invoice)
    return { invoice, paymentHash, amount }
  }

  /** Returns whether this wallet was paid, and how; undefined for an unknown hash. */
  lookUp(paymentHash: string): OutsideReceipt | undefined {
    const { file } = this.#parts
    const arrival = file.arrival(paymentHash)
    if (arrival?.payee === this.#node) return receiptOf(arrival)
    const invoice = file.invoice(paymentHash)
    return invoice?.owner === this.#node ? this.#pendingReceipt(invoice) : undefined
  }

  /** Returns the latest payments in both directions, newest first. */
  history(limit = 100): HistoryEntry[] {
    const { file } = this.#parts
    const received = file.latestArrivals(this.#node, limit).map((row) => this.#entry('received', row))
    const sent = file.latestPayments(this.#node, limit).map((row) => this.#entry('sent', row))
    return [...received, ...sent].sort((a, b) => b.at.getTime() - a.at.getTime()).slice(0, limit)
  }

  async #payOffer(url: URL, typedAmount: Msats | undefined, comment: string | undefined): Promise<OutsidePayment> {
    const { fetch, clock } = this.#parts
    const offer = await askToPay(fetch, url)
    const amount = typedAmount ?? (offer.min === offer.max ? offer.min : undefined)
    if (amount === undefined) {
      const message = `The receiver accepts ${offer.min} to ${offer.max} msats. Say how much to pay.`
      throw new OutsideWalletRefusal('amount_required', message)
    }
    const request = { amount, comment, network: NETWORK, now: clock.now() } as const
    const { invoice, successAction } = await requestInvoice(fetch, offer, request)
    // The invoice contains only the hash of its purpose (LUD-06).
    return { ...(await this.#payInvoice(invoice, undefined, offer.description)), successAction }
  }

  #entry(direction: HistoryEntry['direction'], row: ArrivalRow | PaymentRow): HistoryEntry {
    const { kind, paymentHash, preimage, amount } = row
    const description = this.#parts.file.memo(paymentHash)
    return { direction, kind, paymentHash, preimage, amount, description, at: new Date(row.at) }
  }

  async #payInvoice(invoice: Invoice, typedAmount: Msats | undefined, memo: string): Promise<OutsidePayment> {
    const known = this.#find(invoice)
    const amount = amountToPay(invoice, typedAmount)
    this.#refuseEnded(known)
    await this.#travel()
    const { paymentHash, preimage } = known
    this.#deliver({ kind: 'invoice', paymentHash, preimage, amount, tlvRecords: '[]' }, known)
    this.#parts.file.keepMemo(paymentHash, memo)
    return { preimage, paymentHash, amount }
  }

  /** Delivers a payment in one transaction, or throws without any effect. Without an invoice, our node is the payee. */
  #deliver(
    payment: Pick<PaymentRow, 'kind' | 'paymentHash' | 'preimage' | 'amount' | 'tlvRecords'>,
    invoice?: InvoiceRow,
  ): void {
    const { file, clock, arrivals } = this.#parts
    const at = clock.now()
    file.atomically(() => {
      if (invoice !== undefined) this.#refuseEnded(file.invoice(invoice.paymentHash) ?? invoice)
      if (!file.debit(this.#node, payment.amount)) {
        const message = `The wallet holds ${file.balance(this.#node)} msats, too few for ${payment.amount}. Pay less, or receive some first.`
        throw new OutsideWalletRefusal('insufficient_funds', message)
      }
      const end = { state: 'paid', endsAs: 'paid', reason: '', dueAt: null, fee: ZERO, at } as const
      const sent = file.addPayment({ ...payment, ...end, payer: this.#node })
      arrivals.record(invoice?.owner ?? 'ours', sent, at)
    })
  }

  #find(invoice: Invoice): InvoiceRow {
    if (invoice.network !== NETWORK) {
      const message = `This invoice is for ${invoice.network}; the sandbox is on ${NETWORK}, where sats are not real.`
      throw new OutsideWalletRefusal('wrong_network', message)
    }
    if (invoice.payee === this.#pubkey) {
      throw new OutsideWalletRefusal(
        'own_invoice',
        'This wallet made this invoice itself. Pay an invoice that somebody else made.',
      )
    }
    const known = this.#parts.file.invoice(invoice.paymentHash)
    if (known?.invoice !== invoice.text || known.owner === this.#node) {
      throw new OutsideWalletRefusal(
        'no_route',
        'Nobody in the sandbox network made this invoice. Ask for an invoice that was made here.',
      )
    }
    return known
  }

  #refuseEnded(invoice: InvoiceRow): void {
    if (invoice.state === 'settled' || this.#parts.file.isTaken(invoice.paymentHash)) {
      throw new OutsideWalletRefusal('already_paid', 'This invoice has been paid already. Ask for a new one.')
    }
    if (invoice.state === 'closed' || isExpired({ expiresAt: new Date(invoice.expiresAt) }, this.#parts.clock.now())) {
      throw new OutsideWalletRefusal('invoice_expired', 'This invoice can no longer be paid. Ask for a new one.')
    }
  }

  #pendingReceipt(invoice: InvoiceRow): OutsideReceipt {
    const expired = this.#parts.clock.now() >= invoice.expiresAt
    return {
      paymentHash: invoice.paymentHash,
      state: expired ? 'expired' : 'open',
      kind: 'invoice',
      amount: invoice.amount ?? undefined,
      preimage: undefined,
      paidAt: undefined,
      tlvRecords: [],
    }
  }

  async #travel(): Promise<void> {
    if (this.#parts.latencyMs > 0) await pause(this.#parts.clock, this.#parts.latencyMs)
  }
}

function amountToPay(invoice: Invoice, typedAmount: Msats | undefined): Msats {
  const amount = typedAmount ?? invoice.amount
  if (amount === undefined || amount < 1n) {
    throw new OutsideWalletRefusal('amount_required', 'This invoice leaves the amount open. Say how much to pay.')
  }
  if (invoice.amount !== undefined && (amount < invoice.amount || amount > invoice.amount * MAX_OVERPAID)) {
    const message = `This invoice must be paid with an amount from ${invoice.amount} to ${invoice.amount * MAX_OVERPAID} msats.`
    throw new OutsideWalletRefusal('amount_out_of_range', message)
  }
  return amount
}

function receiptOf(arrival: ArrivalRow): OutsideReceipt {
  const { paymentHash, kind, amount, preimage } = arrival
  const tlvRecords = JSON.parse(arrival.tlvRecords) as TlvRecord[]
  return { paymentHash, state: 'paid', kind, amount, preimage, paidAt: new Date(arrival.at), tlvRecords }
}
