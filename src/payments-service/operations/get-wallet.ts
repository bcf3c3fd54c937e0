import type { Network } from '../../lib/lightning/bolt11.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { UNIT, wallet } from '../core/chart-of-accounts.ts'
import { implement } from '../machines/http/operation.ts'
import { readBookNode } from '../machines/node/book-node.ts'

/** Get Wallet: what the calling project can spend now, and of which network's sats; held money is not in it. */
export const getWallet = implement(operations.getWallet, async ({ caller, parts }) => {
  const [balance, node] = await Promise.all([
    parts.ledger.balance(wallet({ kind: 'project', id: caller.projectId })),
    readBookNode(parts.database.read),
  ])
  const network = node && { network: node.network as Network }
  return { message: 'Wallet retrieved.', data: { unit: UNIT, balance: balance.toString(), ...network } }
})
