import { operations } from '../../payments-api/payments-api.ts'
import { fromRecord, implement } from '../engine/http/operation.ts'
import { PAYMENT_MESSAGES, paymentData } from '../engine/sending/payment-record.ts'
import type { Payment } from '../generated/client.ts'
import { fetchAddressInvoice } from '../payments/fetch-address-invoice.ts'
import { payInvoice } from '../payments/pay-invoice.ts'

/**
 * Pay Lightning Address (additive): fetches an invoice for exactly the amount, and pays it as Send Payment does. The
 * Idempotency-Key is bound to the payment, so a repetition fetches no second invoice.
 */
export const payLightningAddress = implement(
  operations.payLightningAddress,
  async ({ body, caller, parts, bind }) => {
    const { lnAddress: address, amount, comment = '', internalId, callbackUrl } = body
    const payer = { kind: 'project', id: caller.projectId } as const
    const { text: invoice } = await fetchAddressInvoice(parts, { asker: payer, address, amount, comment })
    const about = { payer, invoice, description: comment, internalId, callbackUrl }
    return answer(await payInvoice(parts, about, bind))
  },
  { answerFromPayment: fromRecord(answer) },
)

function answer(payment: Payment) {
  const { id, fee, unit, amount, invoice, preimage, internalId, status, processedAt } = paymentData(payment)
  const { payerId: walletId, callbackUrl, description: comment } = payment
  const about = { walletId, transactionId: id, callbackUrl, internalId, comment }
  return {
    message: PAYMENT_MESSAGES[status],
    data: { id, fee, unit, amount, invoice, preimage, ...about, processedAt, createdAt: processedAt, status },
  }
}
