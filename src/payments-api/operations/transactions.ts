import { z } from 'zod'
import { type Operation, successMessageAndData } from '../operation.ts'
import { everyOperation, everyQuery } from '../refusals.ts'
import { cursor, limit, moment } from '../request-fields.ts'
import { amount, list, nullableText, requiredText, shape, state, text, time, unit } from '../response-fields.ts'

/** The maximum number of transactions in one answer, and the default number. */
const MAX_A_PAGE = 500
const USUAL = 50

/** The kinds of bookings. */
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
      'The booked amount, in msats, including what is held for a fee. The unused part returns as a separate booking.',
    ),
    fee: amount(
      'The part of the amount that is a fee, in msats, as far as it is known. Only one booking of a payment has it.',
    ),
    balance: amount('The balance of the wallet afterwards, in msats.'),
    resourceId: text(
      'The id by which the charge, payment or other resource is read; for vouchers made together, their `createTransactionId`; empty for an adjustment.',
    ),
    internalId: text("The caller's own metadata of that resource."),
    fiatValue: nullableText(
      'What the amount was worth when it was booked, such as `0.4375`; null if the service knew no price then.',
    ),
    fiatCurrency: nullableText('The currency of that value (ISO 4217); null if there is no value.'),
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
    'Additive. Lists every booking of the project wallet, the newest first. For the next page, send `next` as `after`; the list has ended when `next` is null. A page can have fewer bookings than its limit, even none, if few bookings match. With `Accept: text/csv` the answer is a table, and `next` is in the header `x-next-cursor`.',
  params: z.strictObject({}),
  query: z.strictObject({
    after: cursor.optional(),
    limit: limit(MAX_A_PAGE, USUAL).optional(),
    type: z
      .enum(TRANSACTION_TYPES, { error: `must be one of ${TRANSACTION_TYPES.join(', ')}` })
      .describe('Only bookings of this type.')
      .optional(),
    from: moment('Only bookings at this time or later.').optional(),
    to: moment('Only bookings before this time.').optional(),
  }),
  body: undefined,
  csv: true,
  response: successMessageAndData(
    shape({
      transactions: list(transaction, 'The newest first.'),
      next: nullableText('The `after` of the next page; null at the end.'),
    }),
  ),
  refusals: [...everyOperation, ...everyQuery, 'invalid_cursor'],
  secrets: [],
} as const satisfies Operation

/** The number of bookings in a page, unless the request sets another one. */
export const TRANSACTIONS_A_PAGE = USUAL
