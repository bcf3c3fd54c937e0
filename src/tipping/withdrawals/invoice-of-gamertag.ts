import { decodeInvoice, InvalidInvoice, type Invoice } from '../../lib/lightning/bolt11.ts'
import type { Msats } from '../../lib/money/amount.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { lacksOperation, refusalOf } from '../core/provider-refusal.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/** Long enough for the member's confirmation. */
const INVOICE_SECONDS = 15 * 60

/**
 * Makes the provider create an invoice whose payment fills the wallet that has this gamertag now. Nothing moves, and a
 * wallet that takes the gamertag later is not paid by it. Throws TippingRefusal `wallet-name-unknown`,
 * `provider-unreachable` or `provider-refused`.
 */
export async function invoiceOfGamertag(
  { payments }: Pick<TippingContext, 'payments'>,
  { gamertag, amount, key }: { readonly gamertag: string; readonly amount: Msats; readonly key: string },
): Promise<Invoice> {
  // The wallet's owner reads it in their history, in a language that is not known here.
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
