import { operations } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'
import { paymentData } from '../engine/sending/payment-record.ts'

/** Retrieve Payment: returns a payment of the calling project, or (additive) a keysend by its paymentId. */
export const retrievePayment = implement(operations.retrievePayment, async ({ params, caller, parts }) => {
  const payment = await parts.database.read.payment.findFirst({
    where: {
      id: params.id,
      payerKind: 'project',
      payerId: caller.projectId,
      withdrawalRequestId: null,
      voucherId: null,
    },
  })
  if (payment === null)
    throw new ServiceRefusal('not_found', 'This project has no payment with this id. Check the id and the API key.')
  return { message: 'Payment retrieved.', data: paymentData(payment) }
})
