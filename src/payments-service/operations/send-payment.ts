import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'
import { paymentData } from '../engine/sending/payment-record.ts'
import type { Payment } from '../generated/client.ts'
import { payInvoice } from '../payments/pay-invoice.ts'

/** Send Payment: pays an invoice; answers with the outcome, or with `processing` after five seconds. */
export const sendPayment = implement(
  operations.sendPayment,
  async ({ body, caller, parts, bind }) =>
    answer(await payInvoice(parts, { ...body, payer: { kind: 'project', id: caller.projectId } }, bind)),
  {
    answerFromPayment: async ({ database }, id) =>
      answer(await database.read.payment.findUniqueOrThrow({ where: { id } })),
  },
)

function answer(payment: Payment) {
  const data = paymentData(payment)
  return { message: MESSAGES[data.status], data }
}

const MESSAGES = {
  processing: 'The payment is on its way; the outcome will be sent to callbackUrl.',
  completed: 'The payment is completed.',
  failed: 'The payment failed; nothing was paid, and the amount is back in the wallet.',
}
