import { z } from 'zod'
import { type Operation, successMessageAndData } from '../operation.ts'
import { everyBody, everyOperation, everyPath, everyPost } from '../refusals.ts'
import { amount as amountField, description, id, timeAhead, voucherCode, wholeNumber } from '../request-fields.ts'
import {
  amount,
  count,
  list,
  nullableText,
  nullableTime,
  optional,
  requiredText,
  shape,
  text,
  time,
  unit,
} from '../response-fields.ts'

const voucherFields = {
  amount: amount('The amount that the redeemer receives, in msats.'),
  code: requiredText('8-character code; single use.'),
  createdAt: time('When it was created.'),
  description: text('Empty if there is none.'),
  expiresAt: nullableTime('When it expires, if nobody has redeemed it; null if it never expires.'),
  id: requiredText('The id by which it is read.'),
  unit,
}
const debit = { createTransactionId: text('The debit at creation.'), walletId: text('The project wallet.') }
const ends = {
  redeemedAt: nullableTime('Null until redeemed.'),
  redeemedById: nullableText('Who redeemed it; null until redeemed.'),
  redeemedTransactionId: nullableText('The credit of the redeemer; null until redeemed.'),
  revokedAt: nullableTime('Null until revoked.'),
  revokedById: nullableText('Who revoked it, or `expiry`; null until revoked.'),
  revokedTransactionId: nullableText('The credit of the project; null until revoked.'),
}

const withdraw = optional(
  shape(
    {
      amount: amount('The amount that such a wallet receives, in msats: the voucher pays the routing fee.'),
      request: requiredText('An LNURL of LUD-03; anybody who sees it can claim the voucher.'),
      uri: text('The same code with the scheme `lightning:`.'),
    },
    'VoucherWithdrawal',
  ),
)

export const createdVoucher = shape(
  { ...voucherFields, ...debit, withdraw, fee: amount('The cost of its creation, in msats.') },
  'CreatedVoucher',
)

export const voucher = shape(
  { ...voucherFields, ...debit, ...ends, withdraw, updatedAt: nullableTime('When it last changed; null if never.') },
  'Voucher',
)

export const endedVoucher = shape({ ...voucherFields, ...ends }, 'EndedVoucher')

/** The maximum number of vouchers that one request can create. */
const MAX_BATCH = 1_000

const voucherBatch = shape(
  {
    ...debit,
    unit,
    count: count('The number of vouchers.'),
    amount: amount('The amount that the redeemer of each voucher receives, in msats.'),
    fee: amount('The cost of creating all of them, in msats.'),
    total: amount('The debit of the wallet, in msats: all amounts and the fee.'),
    description: text('Empty if there is none.'),
    createdAt: time('When they were created.'),
    expiresAt: nullableTime('When they expire, unless somebody has redeemed them; null if they never expire.'),
    vouchers: list(
      shape({ id: voucherFields.id, code: voucherFields.code, withdraw }, 'VoucherOfBatch'),
      'The codes, each with the id by which it is read.',
    ),
  },
  'VoucherBatch',
)

const expiresAt = timeAhead(
  'From this time on nobody can redeem it, and its amount, but not its fee, is back in the project wallet. If omitted, it never expires.',
).optional()

export const createVoucher = {
  name: 'createVoucher',
  verb: 'POST',
  path: '/v1/create-voucher',
  host: 'base',
  family: 'Vouchers',
  scope: 'send',
  idempotent: false,
  additive: false,
  summary: 'Create Voucher',
  description:
    'Debits the project wallet and issues a code that any user can redeem once. The fee is 1 % of the amount, at least 1 satoshi. ' +
    'Additive: with `withdraw`, any Lightning wallet can claim the voucher without the code. The wallet receives its `amount`; the rest of the ' +
    'voucher, at most half, pays the routing fee, and what is left of it is a fee of the service. `withdraw` is omitted if too little would arrive. ' +
    'Additive: at `expiresAt`, a voucher that nobody has redeemed is revoked automatically.',
  params: z.strictObject({}),
  body: z.strictObject({
    amount: amountField('The amount that the redeemer receives.'),
    description: description('Shown with the voucher.').optional(),
    expiresAt,
  }),
  response: successMessageAndData(createdVoucher),
  refusals: [...everyOperation, ...everyBody, ...everyPost, 'invalid_amount', 'amount_too_high', 'insufficient_funds'],
  secrets: ['code', 'request', 'uri'],
} as const satisfies Operation

export const createVoucherBatch = {
  name: 'createVoucherBatch',
  verb: 'POST',
  path: '/v0/vouchers/batch',
  host: 'base',
  family: 'Vouchers',
  scope: 'send',
  idempotent: false,
  additive: true,
  summary: 'Create Vouchers',
  description:
    'Additive. Creates many vouchers of one amount at once: all of them, or none. The wallet is debited once, and each voucher costs as much as a single voucher. Each is read, redeemed and revoked like any other voucher.',
  params: z.strictObject({}),
  body: z.strictObject({
    count: wholeNumber(1, MAX_BATCH, 'How many vouchers to create.').meta({ examples: [10] }),
    amount: amountField('The amount that the redeemer of each voucher receives.'),
    description: description('Shown with each voucher.').optional(),
    expiresAt,
  }),
  response: successMessageAndData(voucherBatch),
  refusals: [...everyOperation, ...everyBody, ...everyPost, 'invalid_amount', 'amount_too_high', 'insufficient_funds'],
  secrets: ['code', 'request', 'uri'],
} as const satisfies Operation

export const retrieveVoucher = {
  name: 'retrieveVoucher',
  verb: 'GET',
  path: '/v0/vouchers/{voucherId}',
  host: 'base',
  family: 'Vouchers',
  scope: 'send',
  idempotent: true,
  additive: false,
  summary: 'Retrieve Voucher',
  description:
    'Shows whether a voucher is valid, redeemed or revoked. Anybody who can read its code can redeem it, so it needs the scope for sending. ' +
    'If a Lightning wallet elsewhere claimed it, `redeemedById` is `lightning`. Additive: `withdraw`, as in Create Voucher, for as long as the voucher can be claimed.',
  params: z.strictObject({ voucherId: id('The id of the voucher.') }),
  body: undefined,
  response: successMessageAndData(voucher),
  refusals: [...everyOperation, ...everyPath, 'voucher_not_found'],
  secrets: ['code', 'request', 'uri'],
} as const satisfies Operation

const byCode = [
  ...everyOperation,
  ...everyBody,
  ...everyPost,
  'voucher_not_found',
  'voucher_redeemed',
  'voucher_revoked',
  'voucher_expired',
  'voucher_being_claimed',
  'too_many_wrong_codes',
] as const

export const revokeVoucher = {
  name: 'revokeVoucher',
  verb: 'POST',
  path: '/v0/revoke-voucher',
  host: 'base',
  family: 'Vouchers',
  scope: 'send',
  idempotent: false,
  additive: false,
  summary: 'Revoke Voucher',
  description:
    'Revokes a voucher that has been neither redeemed nor revoked, and credits the project wallet with its amount. Only the project that created the voucher can revoke it.',
  params: z.strictObject({}),
  body: z.strictObject({ code: voucherCode }),
  response: successMessageAndData(endedVoucher),
  refusals: byCode,
  secrets: ['code'],
} as const satisfies Operation

export const redeemVoucher = {
  name: 'redeemVoucher',
  verb: 'POST',
  path: '/v0/redeem-voucher',
  host: 'base',
  family: 'Vouchers',
  scope: 'receive',
  idempotent: false,
  additive: true,
  summary: 'Redeem Voucher',
  description: 'Additive. Credits the wallet of the calling project with the amount of the voucher.',
  params: z.strictObject({}),
  body: z.strictObject({ code: voucherCode }),
  response: successMessageAndData(endedVoucher),
  refusals: byCode,
  secrets: ['code'],
} as const satisfies Operation
