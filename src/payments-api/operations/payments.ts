import { z } from 'zod'
import { messageAndData, type Operation, successMessageAndData } from '../operation.ts'
import { everyBody, everyOperation, everyPath, everyPost } from '../refusals.ts'
import {
  amount as amountField,
  callbackUrl,
  description,
  id,
  internalId,
  invoice,
  lightningAmount,
  metadata,
  offer,
  publicKey,
  tlvRecords,
} from '../request-fields.ts'
import {
  amount,
  nullableText,
  nullableTime,
  optional,
  requiredText,
  shape,
  state,
  text,
  time,
  unit,
} from '../response-fields.ts'

export const payment = shape(
  {
    id: requiredText('The id by which it is read.'),
    fee: amount('What it cost, in msats; "0" until it is completed.'),
    unit,
    amount: amount('The amount that the payee receives, in msats.'),
    invoice: text('The invoice that is paid.'),
    preimage: nullableText(
      'Proof of payment, hex; null until it is completed, and for an invoice of this service whose node does not reveal it.',
    ),
    internalId: text("The caller's own metadata."),
    status: state('processing', 'completed', 'failed'),
    processedAt: time('When it was accepted.'),
    confirmedAt: nullableTime('When it settled; null until then.'),
    description: text("The caller's note."),
    failure: optional(
      shape({
        code: text(
          'Additive. Why it failed: `no_route`, `timed_out`, `no_liquidity`, `invoice_expired`, `refused_by_payee`, `refused_by_node` or `other`. Absent unless it failed.',
        ),
        message: text('What the node said.'),
      }),
    ),
  },
  'Payment',
)

export const keysendFields = {
  keysendId: text('The id of the keysend.'),
  paymentId: requiredText('The id of the payment behind it.'),
  transaction: shape({
    id: text('The id of the transaction.'),
    walletId: text('The wallet that pays.'),
    type: text('`KEYSEND_PAYMENT`.'),
    totalAmount: amount('Amount plus fee, in msats.'),
    fee: amount('The cost, in msats.'),
    amount: amount('The amount that the destination receives, in msats.'),
    description: text('Empty if there is none.'),
    status: state('TRANSACTION_STATUS_PROCESSING', 'TRANSACTION_STATUS_COMPLETED', 'TRANSACTION_STATUS_FAILED'),
    confirmedAt: nullableTime('When it settled; null while processing.'),
  }),
}

export const keysend = shape(keysendFields, 'Keysend')

const outgoing = ['invalid_amount', 'amount_too_low', 'amount_too_high', 'insufficient_funds', 'self_payment'] as const

export const sendPayment = {
  name: 'sendPayment',
  verb: 'POST',
  path: '/v0/payments',
  host: 'base',
  family: 'Payments',
  scope: 'send',
  idempotent: false,
  additive: false,
  summary: 'Send Payment',
  description:
    'Pays a Lightning invoice. Answers with the outcome, or after 5 seconds with status `processing`; the outcome then arrives at callbackUrl.',
  params: z.strictObject({}),
  body: z.strictObject({
    invoice: invoice.describe('The Lightning invoice to pay.'),
    description: description("The caller's note.").optional(),
    amount: lightningAmount('The amount to pay, only for an invoice without an amount.').optional(),
    internalId: internalId.optional(),
    callbackUrl: callbackUrl.optional(),
    maxFee: amountField('Additive. The maximum fee of the payment.').optional(),
  }),
  response: successMessageAndData(payment),
  refusals: [
    ...everyOperation,
    ...everyBody,
    ...everyPost,
    ...outgoing,
    'amount_required',
    'amount_not_allowed',
    'invalid_invoice',
    'invoice_expired',
    'wrong_network',
    'foreign_invoice',
    'already_paid',
  ],
  secrets: ['callbackUrl', 'preimage'],
} as const satisfies Operation

export const retrievePayment = {
  name: 'retrievePayment',
  verb: 'GET',
  path: '/v0/payments/{id}',
  host: 'base',
  family: 'Payments',
  scope: 'read',
  idempotent: true,
  additive: false,
  summary: 'Retrieve Payment',
  description: 'Reads a payment by its id, or (additive) a keysend by its paymentId.',
  params: z.strictObject({ id: id('The id of the payment.') }),
  body: undefined,
  response: successMessageAndData(payment),
  refusals: [...everyOperation, ...everyPath, 'not_found'],
  secrets: ['callbackUrl', 'preimage'],
} as const satisfies Operation

export const offerInvoice = shape(
  {
    invoice: requiredText('The invoice, to be paid with Send Payment.'),
    paymentHash: requiredText('The hash by which the payment is known, in hex.'),
    amount: amount('The amount that the payee receives, in msats.'),
    network: text('The network that it is for.'),
    description: text('What the offer is for; may be empty.'),
    expiresAt: time('When it can no longer be paid.'),
  },
  'OfferInvoice',
)

export const fetchOfferInvoice = {
  name: 'fetchOfferInvoice',
  verb: 'POST',
  path: '/v0/offer-invoices',
  host: 'base',
  family: 'Payments',
  scope: 'send',
  idempotent: false,
  additive: true,
  summary: 'Fetch Offer Invoice',
  description:
    'Additive. Asks the maker of a BOLT12 offer, or the owner of a Bitcoin name (BIP-353), for an invoice, and checks its amount. No sats move until you pay the invoice with Send Payment. 501 if the Lightning node does not support this.',
  params: z.strictObject({}),
  body: z.strictObject({
    offer,
    amount: lightningAmount(
      'The amount that the payee receives, only for a name, and for an offer without an amount.',
    ).optional(),
    note: description('A note for the payee.').optional(),
  }),
  response: messageAndData(offerInvoice),
  refusals: [
    ...everyOperation,
    ...everyBody,
    ...everyPost,
    'amount_too_low',
    'amount_too_high',
    'invalid_amount',
    'amount_required',
    'amount_not_allowed',
    'invalid_offer',
    'invoice_expired',
    'wrong_network',
    'offer_unanswered',
    'self_payment',
  ],
  secrets: [],
} as const satisfies Operation

export const sendKeysendPayment = {
  name: 'sendKeysendPayment',
  verb: 'POST',
  path: '/v0/keysend-payment',
  host: 'base',
  family: 'Payments',
  scope: 'send',
  idempotent: false,
  additive: false,
  summary: 'Send Keysend Payment',
  description:
    'Pays a node without an invoice. Answers with the outcome, or after 5 seconds with status `TRANSACTION_STATUS_PROCESSING`; the outcome then arrives at callbackUrl.',
  params: z.strictObject({}),
  body: z.strictObject({
    amount: lightningAmount('The amount that the destination receives.'),
    pubkey: publicKey,
    callbackUrl: callbackUrl.optional(),
    metadata: metadata.optional(),
    tlvRecords: tlvRecords.optional(),
    maxFee: amountField('Additive. The maximum fee of the payment.').optional(),
  }),
  response: successMessageAndData(keysend),
  refusals: [...everyOperation, ...everyBody, ...everyPost, ...outgoing],
  secrets: ['callbackUrl'],
} as const satisfies Operation
