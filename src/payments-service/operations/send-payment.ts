import { operations } from '../../payments-api/payments-api.ts'
import { fromRecord, implement } from '../engine/http/operation.ts'
import { PAYMENT_MESSAGES, paymentData } from '../engine/sending/payment-record.ts'
import type { Payment } from '../generated/client.ts'
import { payInvoice } from '../payments/pay-invoice.ts'

/** Send Payment: pays an invoice. Answers with the outcome, or with `processing` after five seconds. */
export const sendPayment = implement(
  operations.sendPayment,
  async ({ body, caller, parts, bind }) =>
    answer(await payInvoice(parts, { ...body, payer: { kind: 'project', id: caller.projectId } }, bind)),
  { answerFromPayment: fromRecord(answer) },
)

function answer(payment: Payment) {
  const data = paymentData(payment)
  return { message: PAYMENT_MESSAGES[data.status], data }
}
