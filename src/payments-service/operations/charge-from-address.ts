import { lightningUri } from '../../lib/lightning/lnurl.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'
import { fetchAddressInvoice } from '../payments/fetch-address-invoice.ts'

/**
 * Charge From Address (additive): fetches an invoice from a Lightning Address, checks the invoice and returns it. No
 * money moves.
 */
export const chargeFromAddress = implement(operations.chargeFromAddress, async ({ body, caller, parts }) => {
  const { lnaddress: address, amount, description: comment = '' } = body
  const asker = { kind: 'project', id: caller.projectId } as const
  const { text: request } = await fetchAddressInvoice(parts, { asker, address, amount, comment })
  return {
    message: 'Charge fetched.',
    data: { lnaddress: address, amount: amount.toString(), invoice: { request, uri: lightningUri(request) } },
  }
})
