import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'
import { readInvoice } from '../payments/read-payable.ts'

/** Decode Charge: reads any Lightning invoice, on any network, no matter who made it. */
export const decodeCharge = implement(operations.decodeCharge, async ({ body }) => {
  const invoice = readInvoice(body.invoice)
  return {
    data: {
      amount: (invoice.amount ?? 0n).toString(),
      lnRequest: invoice.text,
      lnExpiresAt: invoice.expiresAt.toISOString(),
      network: invoice.network,
      description: invoice.description ?? '',
      descriptionHash: invoice.descriptionHash ?? '',
      paymentHash: invoice.paymentHash,
      paymentSecret: invoice.paymentSecret,
      payee: invoice.payee,
      signature: invoice.signature,
    },
  }
})
