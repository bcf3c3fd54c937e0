import { z } from 'zod'
import { messageAndData, type Operation } from '../operation.ts'
import { everyBody, everyOperation, everyPath, everyPost } from '../refusals.ts'
import {
  allowedSlots,
  callbackUrl,
  description,
  id,
  identifier,
  internalId,
  lightningAmount,
  slotNumber,
  successMessage,
} from '../request-fields.ts'
import {
  amount,
  count,
  list,
  nullableTime,
  optional,
  optionalCount,
  requiredText,
  shape,
  state,
  text,
  time,
  unit,
} from '../response-fields.ts'

export const staticChargeFields = {
  id: requiredText('The id by which it is read and updated.'),
  unit,
  slots: count('The number of payments accepted so far.'),
  minAmount: amount('Smallest payment, in msats.'),
  maxAmount: amount('Largest payment, in msats.'),
  createdAt: time('When it was created.'),
  expiresAt: nullableTime('Null if it does not expire.'),
  internalId: text("The caller's own metadata."),
  description: text('Visible to the payer.'),
  callbackUrl: text('The address to which updates are POSTed.'),
  allowedSlots: optionalCount('The number of payments after which it is disabled.'),
  successMessage: text('Shown to the payer after the payment has settled (LUD-09).'),
  status: state('active', 'disabled'),
  invoice: shape({
    request: requiredText('LNURL-pay code, bech32 (LUD-01, LUD-06): what the QR code encodes.'),
    uri: text('The `lightning:` scheme, followed by the request.'),
  }),
}

export const staticCharge = shape(staticChargeFields, 'StaticCharge')

/** A static charge as Get Static Charge returns it, with the additional field `offer`. */
export const readStaticCharge = shape(
  {
    ...staticChargeFields,
    offer: optional(
      requiredText(
        'Additive: a BOLT12 offer (`lno1…`) with which the same wallet can be paid any amounts, any number of times. Only if slots are not limited, and the Lightning node can be paid through offers.',
      ),
    ),
  },
  'ReadStaticCharge',
)

const amountRefusals = ['invalid_amount', 'amount_too_low', 'amount_too_high'] as const

export const createStaticCharge = {
  name: 'createStaticCharge',
  verb: 'POST',
  path: '/v0/static-charges',
  host: 'base',
  family: 'Static Charges',
  scope: 'receive',
  idempotent: false,
  additive: false,
  summary: 'Create Static Charge',
  description: 'Creates a reusable payment code. Payments are credited to the project wallet.',
  params: z.strictObject({}),
  body: z
    .strictObject({
      minAmount: lightningAmount('Smallest payment.'),
      maxAmount: lightningAmount('Largest payment; equal to minAmount for a fixed amount.'),
      description: description('Visible to the payer.'),
      successMessage: successMessage.optional(),
      allowedSlots: allowedSlots(1).optional(),
      internalId: internalId.optional(),
      callbackUrl: callbackUrl.optional(),
      identifier: identifier.optional(),
    })
    .refine((body) => body.minAmount <= body.maxAmount, {
      path: ['maxAmount'],
      error: 'must not be smaller than minAmount',
    }),
  response: messageAndData(staticCharge),
  refusals: [
    ...everyOperation,
    ...everyBody,
    ...everyPost,
    ...amountRefusals,
    'identifier_taken',
    'too_many_identifiers',
  ],
  secrets: ['callbackUrl'],
} as const satisfies Operation

export const updateStaticCharge = {
  name: 'updateStaticCharge',
  verb: 'PATCH',
  path: '/v0/static-charges/{id}',
  host: 'base',
  family: 'Static Charges',
  scope: 'receive',
  idempotent: false,
  additive: false,
  summary: 'Update Static Charge',
  description: 'Changes the given fields and no others. The QR code stays as it is.',
  params: z.strictObject({ id: id('The id of the Static Charge.') }),
  body: z.strictObject({
    minAmount: lightningAmount('Smallest payment.').optional(),
    maxAmount: lightningAmount('Largest payment.').optional(),
    description: description('Visible to the payer.').optional(),
    successMessage: successMessage.optional(),
    allowedSlots: allowedSlots(0).optional(),
    internalId: internalId.optional(),
    callbackUrl: callbackUrl.optional(),
  }),
  response: messageAndData(staticCharge),
  refusals: [...everyOperation, ...everyBody, 'malformed_url', 'url_too_long', ...amountRefusals, 'not_found'],
  secrets: ['callbackUrl'],
} as const satisfies Operation

export const getStaticCharge = {
  name: 'getStaticCharge',
  verb: 'GET',
  path: '/v0/static-charges/{id}',
  host: 'base',
  family: 'Static Charges',
  scope: 'read',
  idempotent: true,
  additive: false,
  summary: 'Get Static Charge',
  description: 'Reads a Static Charge: its slots, its success message, its status.',
  params: z.strictObject({ id: id('The id of the Static Charge.') }),
  body: undefined,
  response: messageAndData(readStaticCharge),
  refusals: [...everyOperation, ...everyPath, 'not_found'],
  secrets: ['callbackUrl'],
} as const satisfies Operation

/** The maximum number of payments in one answer. */
export const PAYMENTS_A_PAGE = 100

/**
 * Who paid: the payer's own claim (LUD-18), which proves nothing, or the author of a zap (NIP-57), which a signature
 * proves.
 */
export const payer = optional(
  shape({
    name: text('A name, in the payer’s own words; not proven. Empty if they sent none.'),
    identifier: text('An address such as `name@example.com`; not proven. Empty if they sent none.'),
    pubkey: text('A compressed public key, hex; not proven. Empty if they sent none.'),
    nostr: text('The Nostr account that zapped (NIP-57), hex; proven by its signature. Empty if it was no zap.'),
  }),
)

const staticChargePayment = shape({
  id: requiredText('The id of the payment, as its callback names it.'),
  slot: count('The number of the payment in the Static Charge, from 1.'),
  amount: amount('The credited amount, in msats.'),
  comment: text('The comment of the payer (LUD-12).'),
  settledAt: time('When it settled.'),
  payer,
})

export const listStaticChargePayments = {
  name: 'listStaticChargePayments',
  verb: 'GET',
  path: '/v0/static-charges/{id}/payments/{after}',
  host: 'base',
  family: 'Static Charges',
  scope: 'read',
  idempotent: true,
  additive: true,
  summary: 'List Static Charge Payments',
  description:
    'Lists the payments to a Static Charge, in the order of their slots: at most 100, after the slot `after`. With it, you can check the amounts in callbacks, and miss no payment if a callback is lost.',
  params: z.strictObject({
    id: id('The id of the Static Charge.'),
    after: slotNumber('The last slot that you know already; 0 if you know none.'),
  }),
  body: undefined,
  response: messageAndData(shape({ payments: list(staticChargePayment, 'The oldest first.') })),
  refusals: [...everyOperation, ...everyPath, 'not_found'],
  secrets: [],
} as const satisfies Operation
