import { msats } from '../../lib/money/amount.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Balances } from './balances.ts'
import { viewBalance } from './view-balance.ts'

export function bindBalances(context: TippingContext): Balances {
  return {
    view: (member) => viewBalance(context, member),
    available: async (member) => msats(await context.ledger.balance(memberAccount(member))),
  }
}
