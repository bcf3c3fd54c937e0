import { z } from 'zod'
import { type Operation, successMessageAndData } from '../operation.ts'
import { everyBody, everyOperation, everyPath, everyPost } from '../refusals.ts'
import { amount as amountField, description, gamertag, id, userId } from '../request-fields.ts'
import { amount, shape, state, text, time, unit } from '../response-fields.ts'

export const gamertagPayment = shape(
  {
    id: text('The id of the payment.'),
    status: state('settled'),
    transactionId: text('The id by which Get Payment (gamertag) reads it.'),
    receiverId: text('The user id of the recipient.'),
    amount: amount('In msats.'),
    comment: text('The description of the request.'),
    settledAt: time('When it settled.'),
  },
  'GamertagPayment',
)

export const gamertagTransaction = shape(
  {
    id: text('The id of the transaction.'),
    receiverId: text('The user id of the recipient.'),
    amount: amount('In msats.'),
    fee: amount('In msats.'),
    unit,
    processedAt: time('When it was accepted.'),
    confirmedAt: time('When it settled.'),
    comment: text('The description of the request.'),
    status: state('TRANSACTION_STATUS_COMPLETED'),
  },
  'GamertagTransaction',
)

export const payToGamertag = {
  name: 'payToGamertag',
  verb: 'POST',
  path: '/v0/gamertag/send-payment',
  host: 'alt',
  family: 'Payments',
  scope: 'send',
  idempotent: false,
  additive: false,
  summary: 'Pay to Gamertag',
  description: 'Pays a gamertag without a fee. When the answer arrives, the payment has either settled or failed.',
  params: z.strictObject({}),
  body: z.strictObject({
    amount: amountField('The amount that the recipient receives.'),
    gamertag: gamertag.describe('Gamertag of the recipient.'),
    description: description('Visible to the recipient.'),
    receiverId: userId
      .optional()
      .describe('Additive. The id of the user who must have the gamertag. If another user has it, no sats move.'),
  }),
  response: successMessageAndData(gamertagPayment),
  refusals: [
    ...everyOperation,
    ...everyBody,
    ...everyPost,
    'invalid_amount',
    'amount_too_high',
    'insufficient_funds',
    'gamertag_not_found',
    'receiver_mismatch',
  ],
  secrets: [],
} as const satisfies Operation

export const getGamertagPayment = {
  name: 'getGamertagPayment',
  verb: 'GET',
  path: '/v0/gamertag/transaction/{id}',
  host: 'base',
  family: 'Payments',
  scope: 'read',
  idempotent: true,
  additive: false,
  summary: 'Get Payment (gamertag)',
  description: 'Reads a gamertag payment by the transactionId that Pay to Gamertag returned.',
  params: z.strictObject({ id: id('The transactionId of the payment.') }),
  body: undefined,
  response: successMessageAndData(gamertagTransaction),
  refusals: [...everyOperation, ...everyPath, 'not_found'],
  secrets: [],
} as const satisfies Operation
