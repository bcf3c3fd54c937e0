import type { TippingContext } from '../engine/tipping-context.ts'
import type { Deposits } from './deposits.ts'
import { depositToPay } from './invoice-of-deposit.ts'
import { openDeposit } from './open-deposit.ts'
import { readDepositView } from './view-deposit.ts'

export function bindDeposits(context: TippingContext): Deposits {
  return {
    open: (command) => openDeposit(context, command),
    view: (id) => readDepositView(context, id),
    toPay: (id) => depositToPay(context, id),
  }
}
