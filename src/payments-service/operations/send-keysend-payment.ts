import { operations } from '../../payments-api/payments-api.ts'
import { fromRecord, implement } from '../engine/http/operation.ts'
import { keysendData } from '../engine/sending/payment-record.ts'
import type { Payment } from '../generated/client.ts'
import { payKeysend } from '../payments/pay-keysend.ts'

/**
 * Send Keysend Payment: pays a node without an invoice. Answers with the outcome, or `processing` after five seconds.
 */
export const sendKeysendPayment = implement(
  operations.sendKeysendPayment,
  async ({ body, caller, parts, bind }) =>
    answer(await payKeysend(parts, { ...body, payer: { kind: 'project', id: caller.projectId } }, bind)),
  { answerFromPayment: fromRecord(answer) },
)

function answer(payment: Payment) {
  const data = keysendData(payment)
  return { message: MESSAGES[data.transaction.status], data }
}

const MESSAGES = {
  TRANSACTION_STATUS_PROCESSING: 'The keysend payment is processing; the outcome will be sent to callbackUrl.',
  TRANSACTION_STATUS_COMPLETED: 'The keysend payment is completed.',
  TRANSACTION_STATUS_FAILED: 'The keysend payment failed; nothing was paid, and the amount is back in the wallet.',
}
