import { z } from 'zod'
import { type Operation, successMessageAndData } from '../operation.ts'
import { everyBody, everyOperation, everyPath, everyPost } from '../refusals.ts'
import {
  amount as amountField,
  callbackUrl,
  description,
  expiresIn,
  id,
  internalId,
  lightningAmount,
} from '../request-fields.ts'
import { amount, nullableAmount, requiredText, shape, state, text, time, unit } from '../response-fields.ts'

export const withdrawalRequest = shape(
  {
    id: requiredText('The id by which it is read.'),
    unit,
    amount: amount('The amount that the claimer receives, in msats.'),
    createdAt: time('When it was created.'),
    expiresAt: time('It cannot be claimed after this.'),
    internalId: text("The caller's own metadata."),
    description: text('Visible to the claimer.'),
    callbackUrl: text('The address to which updates are POSTed.'),
    status: state('pending', 'processing', 'completed', 'expired'),
    fee: nullableAmount('What the payout cost, in msats; null until it is paid.'),
    invoice: shape({
      request: requiredText('LNURL-withdraw code, bech32 (LUD-03): what the QR code encodes.'),
      fastRequest: text('The same code with the parameters in the URL (LUD-08).'),
      uri: text('The `lightning:` scheme, followed by the request.'),
      fastUri: text('The `lightning:` scheme, followed by the fastRequest.'),
    }),
  },
  'WithdrawalRequest',
)

export const createWithdrawalRequest = {
  name: 'createWithdrawalRequest',
  verb: 'POST',
  path: '/v0/withdrawal-requests',
  host: 'base',
  family: 'Withdrawal Requests',
  scope: 'send',
  idempotent: false,
  additive: false,
  summary: 'Create Withdrawal Request',
  description:
    'Creates a single-use code that somebody scans to receive funds. The amount and the maximum fee are held in the project wallet until the code is claimed or expires. It expires after 3600 seconds if expiresIn is omitted.',
  params: z.strictObject({}),
  body: z.strictObject({
    amount: lightningAmount('The amount that the claimer receives.'),
    description: description('Visible to the claimer.').optional(),
    expiresIn: expiresIn.optional(),
    internalId: internalId.optional(),
    callbackUrl: callbackUrl.optional(),
    maxFee: amountField('Additive. The maximum fee of the payout.').optional(),
  }),
  response: successMessageAndData(withdrawalRequest),
  refusals: [
    ...everyOperation,
    ...everyBody,
    ...everyPost,
    'invalid_amount',
    'amount_too_low',
    'amount_too_high',
    'insufficient_funds',
  ],
  secrets: ['callbackUrl', 'request', 'fastRequest', 'uri', 'fastUri'],
} as const satisfies Operation

export const retrieveWithdrawalRequest = {
  name: 'retrieveWithdrawalRequest',
  verb: 'GET',
  path: '/v0/withdrawal-requests/{id}',
  host: 'base',
  family: 'Withdrawal Requests',
  scope: 'send',
  idempotent: true,
  additive: false,
  summary: 'Retrieve Withdrawal Request',
  description: 'Reads a Withdrawal Request. Anybody who can read it can claim it, so it needs the scope for sending.',
  params: z.strictObject({ id: id('The id of the Withdrawal Request.') }),
  body: undefined,
  response: successMessageAndData(withdrawalRequest),
  refusals: [...everyOperation, ...everyPath, 'not_found'],
  secrets: ['callbackUrl', 'request', 'fastRequest', 'uri', 'fastUri'],
} as const satisfies Operation

export const cancelWithdrawalRequest = {
  name: 'cancelWithdrawalRequest',
  verb: 'POST',
  path: '/v0/withdrawal-requests/{id}/cancel',
  host: 'base',
  family: 'Withdrawal Requests',
  scope: 'send',
  idempotent: false,
  additive: true,
  summary: 'Cancel Withdrawal Request',
  description:
    'Expires a Withdrawal Request now, unless somebody has claimed it. The answer is the Withdrawal Request in its new state: `expired`, or the state of its claim.',
  params: z.strictObject({ id: id('The id of the Withdrawal Request.') }),
  body: z.strictObject({}),
  response: successMessageAndData(withdrawalRequest),
  refusals: [...everyOperation, ...everyBody, ...everyPost, 'malformed_url', 'url_too_long', 'not_found'],
  secrets: ['callbackUrl', 'request', 'fastRequest', 'uri', 'fastUri'],
} as const satisfies Operation
