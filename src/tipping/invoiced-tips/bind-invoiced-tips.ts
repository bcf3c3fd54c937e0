import type { TippingContext } from '../engine/tipping-context.ts'
import { askOrInvoice, askOrInvoiceMessage, reactOrInvoice } from './ask-or-invoice.ts'
import type { InvoicedTips } from './invoiced-tips.ts'
import { viewInvoicedTip } from './view-invoiced-tip.ts'

export function bindInvoicedTips(context: TippingContext): InvoicedTips {
  return {
    ask: (command) => askOrInvoice(context, command),
    askForMessage: (command) => askOrInvoiceMessage(context, command),
    react: (command) => reactOrInvoice(context, command),
    view: (deposit) => viewInvoicedTip(context, deposit),
  }
}
