import type { Logger } from '../../../lib/logger.ts'
import type { OperatorAlert } from '../../core/operator-alerts.ts'
import type { GamertagPayment, Payment } from '../../generated/client.ts'

/** Logs a payment's end, with the payment's id, payer and amount. Never logs the invoice or the preimage. */
export function logOutcome(logger: Logger, payment: Payment): void {
  const { id, kind, status, payerKind, payerId, paymentHash, withdrawalRequestId, voucherId, amount, fee } = payment
  const { failure, failureCode } = payment
  const fields = {
    payment: id,
    kind,
    status,
    payer: `${payerKind}:${payerId}`,
    paymentHash,
    withdrawalRequest: withdrawalRequestId ?? undefined,
    voucher: voucherId ?? undefined,
    amount: `${amount}`,
    ...(status === 'completed' ? { fee: `${fee}` } : { failure, failureCode }),
  }
  logger.info(fields, 'a payment has ended')
}

/** Logs a payment to a gamertag at debug level only, because there may be thousands a second. */
export function logGamertagPayment(logger: Logger, payment: GamertagPayment): void {
  // Stryker disable next-line ConditionalExpression: avoids making a line that the logger would drop.
  if (!logger.isLevelEnabled('debug')) return
  const { id, transactionId, payerKind, payerId, receiverId, amount } = payment
  const fields = {
    payment: id,
    kind: 'gamertag',
    status: 'completed',
    transaction: transactionId,
    payer: `${payerKind}:${payerId}`,
    payee: `user:${receiverId}`,
    amount: `${amount}`,
  }
  logger.debug(fields, 'a payment has ended')
}

/** Returns the alert about a node that reports "paid" without proof. */
export function wrongPreimage(payment: string): OperatorAlert {
  const text = `The node says that payment ${payment} was paid, without a preimage that matches the payment hash. Nothing is recorded, and its sats stay reserved. Check the node: a working one does not do that. If its own records show the end, two operators can end it after ten minutes: npm run -s admin -- payment decide ${payment} paid|failed --evidence "…".`
  return { alert: 'wrong_preimage', text, fields: { payment } }
}
