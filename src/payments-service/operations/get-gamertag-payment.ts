import { operations } from '../../payments-api/payments-api.ts'
import { UNIT } from '../core/chart-of-accounts.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'

/**
 * Get Payment (gamertag): finds a payment by the transactionId that Pay to Gamertag returned, for the project that
 * paid.
 */
export const getGamertagPayment = implement(operations.getGamertagPayment, async ({ params, caller, parts }) => {
  const { read } = parts.database
  const payment = await read.gamertagPayment.findUnique({ where: { transactionId: params.id } })
  if (payment === null || payment.payerKind !== 'project' || payment.payerId !== caller.projectId) {
    throw new ServiceRefusal(
      'not_found',
      'This project has made no gamertag payment with this transaction id. Check the id and the API key.',
    )
  }
  const settledAt = payment.settledAt.toISOString()
  return {
    message: 'Payment retrieved.',
    data: {
      id: payment.transactionId,
      receiverId: payment.receiverId,
      amount: payment.amount.toString(),
      fee: '0',
      unit: UNIT,
      processedAt: settledAt,
      confirmedAt: settledAt,
      comment: payment.comment,
      status: 'TRANSACTION_STATUS_COMPLETED' as const,
    },
  }
})
