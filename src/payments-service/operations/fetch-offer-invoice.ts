import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'
import { fetchOfferInvoice as fetchInvoice } from '../payments/fetch-offer-invoice.ts'

/** Fetch Offer Invoice: requests an invoice, which Send Payment can then pay, from an offer's maker. No money moves. */
export const fetchOfferInvoice = implement(operations.fetchOfferInvoice, async ({ body, caller, parts }) => {
  const { offer: to, amount, note = '' } = body
  const invoice = await fetchInvoice(parts, { payer: { kind: 'project', id: caller.projectId }, to, amount, note })
  return {
    message: 'Invoice retrieved.',
    data: {
      invoice: invoice.text,
      paymentHash: invoice.paymentHash,
      amount: invoice.amount.toString(),
      network: invoice.network,
      description: invoice.description,
      expiresAt: invoice.expiresAt.toISOString(),
    },
  }
})
