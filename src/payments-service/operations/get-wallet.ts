import { operations } from '../../payments-api/payments-api.ts'
import { UNIT, wallet } from '../chart-of-accounts.ts'
import { implement } from '../operation.ts'

/** Get Wallet: what the calling project can spend now; held money is not in it. */
export const getWallet = implement(operations.getWallet, async ({ caller, parts }) => {
  const balance = await parts.ledger.balance(wallet({ kind: 'project', id: caller.projectId }))
  return { message: 'Wallet retrieved.', data: { unit: UNIT, balance: balance.toString() } }
})
