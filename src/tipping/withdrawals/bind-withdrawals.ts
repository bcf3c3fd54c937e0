import type { TippingContext } from '../engine/tipping-context.ts'
import { askToMove, askWithdrawal } from './ask-withdrawal.ts'
import { cancelCode } from './cancel-code.ts'
import type { Forwarding } from './forwarding.ts'
import { payInvoice } from './pay-invoice.ts'
import { keepHere, startForwarding } from './start-forwarding.ts'
import { cancelWithdrawal, confirmWithdrawal } from './start-withdrawal.ts'
import { viewWithdrawal } from './view-withdrawal.ts'
import type { Withdrawals } from './withdrawals.ts'

export function bindForwarding(context: TippingContext): Forwarding {
  return {
    start: (command) => startForwarding(context, command),
    keep: (command) => keepHere(context, command),
  }
}

export function bindWithdrawals(context: TippingContext): Withdrawals {
  return {
    ask: (command) => askWithdrawal(context, command),
    askToMove: (command) => askToMove(context, command),
    confirm: (decision) => confirmWithdrawal(context, decision),
    cancel: (decision) => cancelWithdrawal(context, decision),
    cancelCode: (decision) => cancelCode(context, decision),
    pay: (command) => payInvoice(context, command),
    view: (id) => viewWithdrawal(context, id),
  }
}
