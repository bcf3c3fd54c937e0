import { decodeInvoice, InvalidInvoice, type Invoice, isExpired } from '../../lib/lightning/bolt11.ts'
import { decodeOfferInvoice, looksLikeOfferInvoice, type PayableText } from '../../lib/lightning/bolt12.ts'
import { OFFER_NOT_PAYABLE, readPaymentText } from '../../lib/lightning/payment-text.ts'
import { type Msats, msats, sats } from '../../lib/money/amount.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { refuseAboveMaximum, refuseFraction, refuseUnsendable } from '../engine/node/amount-limits.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Invoice as OwnInvoice } from '../receiving/own-invoice.ts'

const ONE_SAT = sats(1)

/** An invoice that our node may pay, with the exact amount that the payee receives. */
export interface PayableInvoice {
  readonly invoice: PayableText
  readonly amount: Msats
  /** The amount to pass to the node; undefined if the invoice contains it. */
  readonly askedAmount: Msats | undefined
}

/**
 * Reads an invoice for a payment. `amount` is the amount that the caller wants to pay, permitted only for an invoice
 * without an amount. `own`: our invoice with exactly this text, if known. Throws ServiceRefusal: invalid_invoice,
 * wrong_network, amount_not_allowed, amount_required, amount_too_low, amount_too_high, invalid_amount, invoice_expired,
 * or nothing_sent while our node's network is unknown.
 */
export async function readPayable(
  parts: ServiceParts,
  text: string,
  amount: Msats | undefined,
  own?: OwnInvoice,
): Promise<PayableInvoice> {
  // Stryker disable next-line ConditionalExpression: avoids parsing again what the book contains.
  const read = own === undefined ? readAnyInvoice(parts, text) : readOwn(own)
  const { network } = await parts.sender.node()
  const invoice = { network, ...read }
  if (invoice.network !== network) {
    throw new ServiceRefusal(
      'wrong_network',
      `This invoice is for the network ${invoice.network}, but this service pays on ${network}. Ask for another invoice.`,
    )
  }
  if (invoice.amount !== undefined && amount !== undefined) {
    throw new ServiceRefusal(
      'amount_not_allowed',
      `This invoice already carries an amount (${invoice.amount} msats). Leave the amount out.`,
    )
  }
  const payable = invoice.amount ?? amount
  if (payable === undefined) {
    throw new ServiceRefusal(
      'amount_required',
      'This invoice carries no amount. Say how much to pay, in msats, as "amount".',
    )
  }
  if (payable < ONE_SAT) {
    throw new ServiceRefusal(
      'amount_too_low',
      'This invoice is for less than 1 sat, the least that can be sent over Lightning. Ask for an invoice for a larger amount.',
    )
  }
  refuseAboveMaximum(parts, payable)
  if (invoice.amount === undefined) refuseFraction(parts, payable)
  refuseUnsendable(parts, payable)
  if (isExpired(invoice, parts.clock.now())) {
    throw new ServiceRefusal('invoice_expired', 'This invoice has expired. Ask the receiver for another one.')
  }
  return { invoice, amount: payable, askedAmount: invoice.amount === undefined ? payable : undefined }
}

/**
 * Returns the values that were stored when our invoice was made, because recovering the key from the invoice's
 * signature takes longer than everything else here.
 */
function readOwn({ request: text, paymentHash, amount, expiresAt }: OwnInvoice): Omit<PayableText, 'network'> {
  return { text, paymentHash, amount: msats(amount), expiresAt, description: undefined, payee: undefined }
}

/**
 * Reads an invoice. Accepts an invoice from an offer's maker only if our node can pay offers. Throws ServiceRefusal
 * (invalid_invoice).
 */
function readAnyInvoice({ backend }: Pick<ServiceParts, 'backend'>, text: string): PayableText {
  if (!backend.capabilities.offers) return readInvoice(text)
  if (readPaymentText(text).kind === 'offer' && !looksLikeOfferInvoice(text)) {
    throw new ServiceRefusal(
      'invalid_invoice',
      'This is a BOLT12 offer, not an invoice yet. Ask for its invoice with Fetch Offer Invoice, and pay this invoice.',
    )
  }
  return looksLikeOfferInvoice(text) ? refusing(() => decodeOfferInvoice(text)) : readInvoice(text)
}

/**
 * Reads a BOLT11 invoice of any network. Throws the refusal invalid_invoice with a sentence that says what is wrong.
 */
export function readInvoice(text: string): Invoice {
  if (readPaymentText(text).kind === 'offer') throw new ServiceRefusal('invalid_invoice', OFFER_NOT_PAYABLE)
  return refusing(() => decodeInvoice(text))
}

function refusing<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidInvoice) throw new ServiceRefusal('invalid_invoice', error.message)
    throw error
  }
}
