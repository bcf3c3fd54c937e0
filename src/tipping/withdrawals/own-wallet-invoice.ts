import type { Msats } from '../../lib/money/amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { allows } from '../engine/own-wallets/connections.ts'
import { isTheirs } from '../engine/own-wallets/invoice-of-receiver.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/** How long the invoice is valid: long enough for the member's confirmation. */
const INVOICE_SECONDS = 15 * 60

/**
 * Has a member's connected wallet create an invoice, whose text must be read and checked like one that somebody pasted.
 * Throws TippingRefusal `own-wallet-no-invoice`.
 */
export async function invoiceOfOwnWallet(context: TippingContext, member: string, amount: Msats): Promise<string> {
  const own = await context.database.read.walletConnection.findUnique({ where: { member } })
  const connected = own !== null && allows(own, 'make_invoice')
  const wallet = connected ? await context.wallets.connections.wallet(own.id) : undefined
  if (wallet === undefined) throw new TippingRefusal('own-wallet-no-invoice', {})
  try {
    return await wallet.makeInvoice({ amount, description: 'Balance', expiresInSeconds: INVOICE_SECONDS })
  } catch (error) {
    if (isTheirs(error)) throw new TippingRefusal('own-wallet-no-invoice', {})
    throw error
  }
}
