import { z } from 'zod'
import { type Operation, successMessageAndData } from '../operation.ts'
import { everyOperation, everyQuery } from '../refusals.ts'
import { cursor, limit, moment } from '../request-fields.ts'
import { amount, list, nullableText, requiredText, shape, state, text, time, unit } from '../response-fields.ts'

/** The most transactions in one answer, and the default. */
const MAX_A_PAGE = 500
const USUAL = 50

/** Kinds of bookings. */
export const TRANSACTION_TYPES = [
  'charge',
  'static_charge',
  'payment',
  'keysend',
  'withdrawal_request',
  'gamertag_payment',
  'voucher',
  'transfer',
  'adjustment',
] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]

const transaction = shape(
  {
    id: requiredText('The id of the booking.'),
    createdAt: time('When it was booked.'),
    type: state(...TRANSACTION_TYPES),
    direction: state('in', 'out'),
    unit,
    amount: amount(
      'What was booked, in msats: what is held for a fee included. The unused part is a separate booking, and comes back.',
    ),
    fee: amount('What of the amount the fee came to, in msats, as far as it is known by now. It is said once.'),
    balance: amount('The balance of the wallet afterwards, in msats.'),
    resourceId: text(
      'The id by which the charge, payment or other resource is read; for vouchers made together, their `createTransactionId`; empty for an adjustment.',
    ),
    internalId: text("The caller's own metadata of that resource."),
    fiatValue: nullableText(
      'What the amount was worth when it was booked, such as `0.4375`; null where the service knew no price then.',
    ),
    fiatCurrency: nullableText('The currency of that value (ISO 4217); null without one.'),
  },
  'Transaction',
)

export const listTransactions = {
  name: 'listTransactions',
  verb: 'GET',
  path: '/v0/transactions',
  host: 'base',
  family: 'Users and wallet',
  scope: 'read',
  idempotent: true,
  additive: true,
  summary: 'List Transactions',
  description:
    'Additive. Lists every booking of the project wallet, the newest first. Ask for the next page with its `next`; the list is at its end where that is null. A page can have fewer bookings than its limit, even none, where few fit what was asked for. With `Accept: text/csv` it is a table, and `next` is in the header `x-next-cursor`.',
  params: z.strictObject({}),
  query: z.strictObject({
    after: cursor.optional(),
    limit: limit(MAX_A_PAGE, USUAL).optional(),
    type: z
      .enum(TRANSACTION_TYPES, { error: `must be one of ${TRANSACTION_TYPES.join(', ')}` })
      .describe('Only bookings of this type.')
      .optional(),
    from: moment('Only what was booked then, or later.').optional(),
    to: moment('Only what was booked before.').optional(),
  }),
  body: undefined,
  csv: true,
  response: successMessageAndData(
    shape({
      transactions: list(transaction, 'The newest first.'),
      next: nullableText('Where the next page begins; null at the end.'),
    }),
  ),
  refusals: [...everyOperation, ...everyQuery, 'invalid_cursor'],
  secrets: [],
} as const satisfies Operation

/** The bookings of a page, unless the request names another number. */
export const TRANSACTIONS_A_PAGE = USUAL
