import { decodeInvoice, InvalidInvoice, type Invoice } from '../../lib/lightning/bolt11.ts'
import type { Msats } from '../../lib/money/amount.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { lacksOperation, refusalOf } from '../core/provider-refusal.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/** How long the invoice is valid: long enough for the member's confirmation. */
const INVOICE_SECONDS = 15 * 60

/**
 * Has the provider create an invoice that fills the wallet with this gamertag. Nothing moves. A wallet that takes over
 * the gamertag later does not receive the payment. Throws TippingRefusal `wallet-name-unknown`, `provider-unreachable`
 * or `provider-refused`.
 */
export async function invoiceOfGamertag(
  { payments }: Pick<TippingContext, 'payments'>,
  { gamertag, amount, key }: { readonly gamertag: string; readonly amount: Msats; readonly key: string },
): Promise<Invoice> {
  // The wallet's owner reads this in their history, in an unknown language.
  const charge = { amount, gamertag, description: 'Discord', expiresIn: INVOICE_SECONDS }
  try {
    const { data } = await payments.createGamertagCharge(charge, { idempotencyKey: key })
    const invoice = decodeInvoice(data.invoiceRequest)
    if (data.amount === amount && invoice.amount === amount) return invoice
  } catch (error) {
    if (error instanceof InvalidInvoice) throw wrong()
    const isUnknown = error instanceof PaymentsError && error.code === 'gamertag_not_found'
    if (isUnknown || lacksOperation(error)) throw new TippingRefusal('wallet-name-unknown', { name: gamertag })
    throw refusalOf(error)
  }
  throw wrong()
}

function wrong(): TippingRefusal {
  return new TippingRefusal('provider-refused', { message: 'The new invoice is for another amount.' })
}
