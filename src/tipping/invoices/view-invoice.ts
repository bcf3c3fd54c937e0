import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { notCreated } from '../engine/incoming/not-created.ts'
import type { InvoiceView } from './invoices.ts'

/**
 * Returns an invoice's present view. Throws TippingRefusal `not-there`, or another one if the invoice's charge was
 * never created.
 */
export async function viewInvoice({ database }: ReadonlyBook, id: string): Promise<InvoiceView> {
  const invoice = await database.read.invoice.findUnique({ where: { id } })
  if (invoice === null) throw new TippingRefusal('not-there', {})
  if (invoice.state === 'failed' || invoice.state === 'creating') throw notCreated(invoice.reason)
  const { card, member, gamertag, description, expiresAt, paidAt } = invoice
  return {
    id,
    card,
    member,
    gamertag,
    amount: msats(invoice.amount),
    description,
    state: invoice.state as InvoiceView['state'],
    request: invoice.request ?? '',
    expiresAt,
    ...(paidAt === null ? {} : { paidAt }),
  }
}
