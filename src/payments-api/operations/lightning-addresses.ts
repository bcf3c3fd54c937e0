import { z } from 'zod'
import { type Operation, successAndData, successMessageAndData } from '../operation.ts'
import { everyBody, everyOperation, everyPath, everyPost } from '../refusals.ts'
import { callbackUrl, description, internalId, lightningAddressText, lightningAmount, name } from '../request-fields.ts'
import {
  amount,
  announcedAmount,
  flag,
  nullableText,
  optional,
  optionalCount,
  optionalFlag,
  requiredText,
  shape,
  state,
  text,
  time,
  unit,
} from '../response-fields.ts'

const asked = optional(shape({ mandatory: optionalFlag('Whether the payer must send it.') }))

export const lightningAddress = shape(
  {
    valid: flag('Whether the address answers as a Lightning Address.'),
    metadata: optional(
      shape({
        minSendable: announcedAmount('Smallest payment, in msats.'),
        maxSendable: announcedAmount('Largest payment, in msats.'),
        commentAllowed: optionalCount('Longest comment, in characters; 0 for none (LUD-12).'),
        tag: text('`payRequest`.'),
        metadata: text('Metadata entries as JSON text (LUD-06).'),
        callback: text('The address from which to get an invoice.'),
        payerData: optional(shape({ name: asked, identifier: asked })),
        disposable: optionalFlag('Whether the code is to be used only once (LUD-11).'),
      }),
    ),
  },
  'LightningAddress',
)

export const validateLightningAddress = {
  name: 'validateLightningAddress',
  verb: 'GET',
  path: '/v0/ln-address/validate/{address}',
  host: 'alt',
  family: 'Lightning Addresses',
  scope: 'read',
  idempotent: true,
  additive: false,
  summary: 'Validate Lightning Address',
  description:
    'Asks the server of an address whether it is a Lightning Address. If it is not, the answer is `valid: false` without metadata, and not an error.',
  params: z.strictObject({ address: name('The address, `name@host`.') }),
  body: undefined,
  response: successAndData(lightningAddress),
  refusals: [...everyOperation, ...everyPath],
  secrets: [],
} as const satisfies Operation

const addressRefusals = [
  'invalid_amount',
  'amount_too_low',
  'amount_too_high',
  'invalid_address',
  'address_unanswered',
] as const

export const addressPayment = shape(
  {
    id: requiredText('The id by which Retrieve Payment reads it.'),
    fee: amount('What the payment cost, in msats; "0" until it is known.'),
    unit,
    amount: amount('The amount that the receiver gets, in msats.'),
    invoice: text('The invoice that the address returned.'),
    preimage: nullableText('The proof of the payment, hex; null until it is paid.'),
    walletId: text('The wallet that pays.'),
    transactionId: text('The id of the payment.'),
    callbackUrl: text('The address to which the outcome is POSTed.'),
    internalId: text("The caller's own metadata."),
    comment: text('The text that the receiver received.'),
    processedAt: time('When the payment was accepted.'),
    createdAt: time('The same time as `processedAt`.'),
    status: state('processing', 'completed', 'failed'),
  },
  'AddressPayment',
)

export const payLightningAddress = {
  name: 'payLightningAddress',
  verb: 'POST',
  path: '/v0/ln-address/send-payment',
  host: 'base',
  family: 'Lightning Addresses',
  scope: 'send',
  idempotent: false,
  additive: true,
  summary: 'Pay Lightning Address',
  description:
    'Additive. Asks a Lightning Address for an invoice of exactly the amount, checks it, and pays it. Answers with the outcome, or after 5 seconds with status `processing`; the outcome then arrives at callbackUrl, and Retrieve Payment shows it. Send an `Idempotency-Key`: the address returns another invoice to each request, so nothing else shows that two requests are for the same payment.',
  params: z.strictObject({}),
  body: z.strictObject({
    lnAddress: lightningAddressText,
    amount: lightningAmount('The amount that the receiver gets.'),
    comment: description('A text for the receiver; refused if the receiver accepts none.').optional(),
    internalId: internalId.optional(),
    callbackUrl: callbackUrl.optional(),
  }),
  response: successMessageAndData(addressPayment),
  refusals: [...everyOperation, ...everyBody, ...everyPost, ...addressRefusals, 'insufficient_funds', 'self_payment'],
  secrets: ['callbackUrl', 'preimage'],
} as const satisfies Operation

export const chargeFromAddress = {
  name: 'chargeFromAddress',
  verb: 'POST',
  path: '/v0/ln-address/fetch-charge',
  host: 'base',
  family: 'Lightning Addresses',
  scope: 'receive',
  idempotent: false,
  additive: true,
  summary: 'Charge From Address',
  description:
    'Additive. Asks a Lightning Address for an invoice, checks its amount, its network and its purpose, and returns it. The payment goes to the owner of the address, not through this service, which therefore cannot know whether the invoice was paid.',
  params: z.strictObject({}),
  body: z.strictObject({
    lnaddress: lightningAddressText,
    amount: lightningAmount('The amount that the payer pays.'),
    description: description('A text for the receiver; refused if the receiver accepts none.').optional(),
  }),
  response: successMessageAndData(
    shape({
      lnaddress: text('The address, as it was sent.'),
      amount: amount('In msats.'),
      invoice: shape({
        request: requiredText('BOLT11 invoice: what the QR code encodes.'),
        uri: text('The `lightning:` scheme, followed by the request.'),
      }),
    }),
  ),
  refusals: [...everyOperation, ...everyBody, ...everyPost, ...addressRefusals],
  secrets: [],
} as const satisfies Operation
