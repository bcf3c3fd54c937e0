import { operations } from '../../payments-api/payments-api.ts'
import { wallet } from '../core/chart-of-accounts.ts'
import { implement } from '../engine/http/operation.ts'
import { requireUser } from './require-user.ts'

/** All bitcoin that can ever exist, in msats: reported as the remainder of limits that do not exist. */
const NO_LIMIT = '2100000000000000000'

/** Get User Wallet: returns the spendable balance of the logged-in user, without held money. */
export const getUserWallet = implement(operations.getUserWallet, async (call) => {
  const { id } = await requireUser(call, 'wallet')
  const balance = await call.parts.ledger.balance(wallet({ kind: 'user', id }))
  const maxCredit = call.parts.settings.maxAmount.toString()
  const remainingAmountLimits = { daily: NO_LIMIT, weekly: NO_LIMIT, monthly: NO_LIMIT, maxCredit }
  return { message: 'Wallet retrieved.', data: { balance: balance.toString(), remainingAmountLimits } }
})
