import { z } from 'zod'
import { type Operation, successMessageAndData } from '../operation.ts'
import { everyBody, everyOperation, everyPost } from '../refusals.ts'
import { amount as amountField, walletId } from '../request-fields.ts'
import { amount, requiredText, shape, state, text, time } from '../response-fields.ts'

const transfer = shape(
  {
    id: requiredText('The id of the transfer; List Transactions of both projects has it as `resourceId`.'),
    senderWalletId: text('The wallet that paid: the id of its project.'),
    receiverWalletId: text('The wallet that was paid: the id of its project.'),
    userId: text('The project whose key made the transfer.'),
    sendTxId: text('The transaction of the sender: the id of the transfer.'),
    receiveTxId: text('The transaction of the receiver: the id of the transfer.'),
    status: state('TRANSFER_STATUS_COMPLETED'),
    amount: amount('In msats.'),
    createdAt: time('When it settled.'),
    updatedAt: time('The same time, because a transfer never changes.'),
  },
  'Transfer',
)

export const internalTransfer = {
  name: 'internalTransfer',
  verb: 'POST',
  path: '/v0/internal-transfer',
  host: 'base',
  family: 'Payments',
  scope: 'send',
  idempotent: false,
  additive: true,
  summary: 'Internal Transfer',
  description:
    'Additive. Moves sats to the wallet of another project of the same operator, at once and without a fee. The operator sets which projects belong together; by default, none do.',
  params: z.strictObject({}),
  body: z.strictObject({
    amount: amountField('The amount that the receiver gets.'),
    receiverWalletId: walletId,
  }),
  response: successMessageAndData(transfer),
  refusals: [
    ...everyOperation,
    ...everyBody,
    ...everyPost,
    'invalid_amount',
    'amount_too_high',
    'insufficient_funds',
    'self_payment',
    'transfer_not_allowed',
    'not_found',
  ],
  secrets: [],
} as const satisfies Operation
