import type { TippingContext } from '../engine/tipping-context.ts'
import { createInvoice } from './create-invoice.ts'
import type { Invoices } from './invoices.ts'
import { viewInvoice } from './view-invoice.ts'

export function bindInvoices(context: TippingContext): Invoices {
  return {
    create: (command) => createInvoice(context, command),
    view: (id) => viewInvoice(context, id),
  }
}
