import { operations } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import { logGamertagPayment } from '../engine/sending/log-outcome.ts'
import { payUser } from '../users/pay-user.ts'

/**
 * Pay to Gamertag: pays a user in one transaction, without a fee. The payment has settled or failed when the answer
 * arrives.
 */
export const payToGamertag = implement(operations.payToGamertag, async ({ body, caller, parts, commit }) => {
  refuseAboveMaximum(parts, body.amount)
  const receiverId = await parts.names.userId(body.gamertag)
  if (body.receiverId !== undefined && body.receiverId !== receiverId) {
    throw new ServiceRefusal(
      'receiver_mismatch',
      'This gamertag now belongs to another user, so nothing was paid. Look up the current gamertag of your user with Get Gamertag By User ID.',
    )
  }
  const { payment, change } = payUser(
    parts,
    { kind: 'project', id: caller.projectId },
    { receiverId, amount: body.amount, comment: body.description },
  )
  const answer = await commit(change, {
    message: 'The payment has settled.',
    data: {
      id: payment.id,
      status: 'settled' as const,
      transactionId: payment.transactionId,
      receiverId,
      amount: payment.amount.toString(),
      comment: payment.comment,
      settledAt: payment.settledAt.toISOString(),
    },
  })
  logGamertagPayment(parts.logger, payment)
  return answer
})
