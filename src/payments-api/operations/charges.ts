import { z } from 'zod'
import { type Operation, successAndData, successMessageAndData } from '../operation.ts'
import { everyBody, everyOperation, everyPath, everyPost } from '../refusals.ts'
import {
  callbackUrl,
  description,
  expiresIn,
  gamertag,
  id,
  internalId,
  invoice,
  lightningAmount,
} from '../request-fields.ts'
import { amount, nullableText, nullableTime, requiredText, shape, state, text, time, unit } from '../response-fields.ts'

const chargeFields = {
  unit,
  status: state('CHARGE_PENDING', 'CHARGE_COMPLETED', 'CHARGE_EXPIRED'),
  amount: amount('The amount that the payer pays, in msats.'),
  createdAt: time('When the charge was created.'),
  internalId: text("The caller's own metadata."),
  callbackUrl: text('The address to which updates are POSTed.'),
  description: text('Note visible to the recipient.'),
  invoiceRequest: requiredText('BOLT11 invoice: what the QR code encodes.'),
  invoiceExpiresAt: time('The charge cannot be paid after this.'),
  invoiceDescriptionHash: nullableText('The SHA-256 of the description, in hex, if the invoice contains only that.'),
}

/** The answer to the creation of a charge. `id` is additive, so it is null for a provider without such ids. */
export const charge = shape(
  { ...chargeFields, id: text('Additive. The id by which the charge can be read.') },
  'Charge',
)

/** A charge in the form of the additive GET and the callback. */
export const chargeRecord = shape(
  {
    ...chargeFields,
    id: text('The id of the charge.'),
    confirmedAt: nullableTime('When it was paid; null until then.'),
    invoice: shape({ request: requiredText('BOLT11 invoice, the same as invoiceRequest.') }),
  },
  'ChargeRecord',
)

/** A charge of the project's own wallet. Creation, GET and the callback all use this form. */
export const projectCharge = shape(
  {
    id: requiredText('The id by which it is read.'),
    unit,
    amount: amount('The amount that the payer pays, in msats.'),
    status: state('pending', 'completed', 'expired'),
    description: text('What the payer sees.'),
    createdAt: time('When the charge was created.'),
    expiresAt: time('The charge cannot be paid after this.'),
    confirmedAt: nullableTime('When it was paid; null until then.'),
    internalId: text("The caller's own metadata."),
    callbackUrl: text('The address to which updates are POSTed.'),
    invoice: shape({
      request: requiredText('BOLT11 invoice: what the QR code encodes.'),
      uri: text('The `lightning:` scheme, followed by the request.'),
    }),
  },
  'ProjectCharge',
)

export const decodedCharge = shape(
  {
    amount: amount('In msats; "0" if the payer chooses the amount.'),
    lnRequest: text('The invoice itself.'),
    lnExpiresAt: time('The invoice cannot be paid after this.'),
    network: text('`bitcoin`, `testnet`, `signet`, `regtest` or `simnet`.'),
    description: text('Empty if the invoice has none.'),
    descriptionHash: text('Hex; empty if the invoice has none.'),
    paymentHash: text('Hex.'),
    paymentSecret: text('Hex.'),
    payee: text('Public key of the node that is paid, hex.'),
    signature: text('Hex.'),
  },
  'DecodedCharge',
)

export const createCharge = {
  name: 'createCharge',
  verb: 'POST',
  path: '/v0/charges',
  host: 'base',
  family: 'Charges',
  scope: 'receive',
  idempotent: false,
  additive: true,
  summary: 'Create Charge',
  description:
    'Additive. Creates a single-use invoice. Payments are credited to the project wallet. It expires after 600 seconds if expiresIn is omitted.',
  params: z.strictObject({}),
  body: z.strictObject({
    amount: lightningAmount('The amount that the payer pays.'),
    description: description('What the payer sees.'),
    expiresIn: expiresIn.optional(),
    callbackUrl: callbackUrl.optional(),
    internalId: internalId.optional(),
  }),
  response: successMessageAndData(projectCharge),
  refusals: [...everyOperation, ...everyBody, ...everyPost, 'invalid_amount', 'amount_too_low', 'amount_too_high'],
  secrets: ['callbackUrl'],
} as const satisfies Operation

export const getCharge = {
  name: 'getCharge',
  verb: 'GET',
  path: '/v0/charges/{id}',
  host: 'base',
  family: 'Charges',
  scope: 'read',
  idempotent: true,
  additive: true,
  summary: 'Get Charge',
  description:
    'Additive. Reads a charge of the project wallet. `completed` and `expired` are final, with one exception: a payment that arrives late is credited, and completes an expired charge.',
  params: z.strictObject({ id: id('The id of the charge.') }),
  body: undefined,
  response: successMessageAndData(projectCharge),
  refusals: [...everyOperation, ...everyPath, 'not_found'],
  secrets: ['callbackUrl'],
} as const satisfies Operation

export const createGamertagCharge = {
  name: 'createGamertagCharge',
  verb: 'POST',
  path: '/v0/gamertag/charges',
  host: 'alt',
  family: 'Charges',
  scope: 'receive',
  idempotent: false,
  additive: false,
  summary: 'Create Gamertag Charge',
  description:
    'Creates a single-use invoice. The payment is credited to the owner of the gamertag, even if they have changed the gamertag by then. It expires after 600 seconds if expiresIn is omitted.',
  params: z.strictObject({}),
  body: z.strictObject({
    amount: lightningAmount('The amount that the payer pays.'),
    gamertag: gamertag.describe('Gamertag of the recipient.'),
    description: description('Note visible to the recipient.').optional(),
    expiresIn: expiresIn.optional(),
    internalId: internalId.optional(),
    callbackUrl: callbackUrl.optional(),
  }),
  response: successAndData(charge),
  refusals: [
    ...everyOperation,
    ...everyBody,
    ...everyPost,
    'invalid_amount',
    'amount_too_low',
    'amount_too_high',
    'gamertag_not_found',
  ],
  secrets: ['callbackUrl'],
} as const satisfies Operation

export const getGamertagCharge = {
  name: 'getGamertagCharge',
  verb: 'GET',
  path: '/v0/gamertag/charges/{id}',
  host: 'alt',
  family: 'Charges',
  scope: 'read',
  idempotent: true,
  additive: true,
  summary: 'Get Gamertag Charge',
  description: 'Additive. Reads a charge, in the shape of its callback.',
  params: z.strictObject({ id: id('The id of the charge.') }),
  body: undefined,
  response: successAndData(chargeRecord),
  refusals: [...everyOperation, ...everyPath, 'not_found'],
  secrets: ['callbackUrl'],
} as const satisfies Operation

export const decodeCharge = {
  name: 'decodeCharge',
  verb: 'POST',
  path: '/v0/decode-invoice',
  host: 'base',
  family: 'Charges',
  scope: 'read',
  idempotent: false,
  additive: false,
  summary: 'Decode Charge',
  description: 'Reads the contents of any Lightning invoice, of any network, no matter who made it.',
  params: z.strictObject({}),
  body: z.strictObject({ invoice: invoice.describe('The invoice contents.') }),
  response: successAndData(decodedCharge),
  refusals: [...everyOperation, ...everyBody, ...everyPost, 'invalid_invoice'],
  secrets: ['paymentSecret'],
} as const satisfies Operation
