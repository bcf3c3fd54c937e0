import { msats, ZERO } from '../../lib/money/amount.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { UNIT, wallet } from '../core/chart-of-accounts.ts'
import { implement } from '../engine/http/operation.ts'
import type { NodeView } from '../engine/node/node-watch.ts'
import type { ServiceParts } from '../engine/service-parts.ts'

/**
 * Get Wallet: returns the calling project's spendable balance, without held money, and the network of its sats. The
 * answer contains the node's last known state, because this operation does not wait for the node.
 */
export const getWallet = implement(operations.getWallet, async ({ caller, parts }) => {
  const [balance, network] = await Promise.all([
    parts.ledger.balance(wallet({ kind: 'project', id: caller.projectId })),
    parts.networkOfBook(),
  ])
  const data = { unit: UNIT, balance: balance.toString(), ...(network && { network }), ...nodeOf(parts, balance) }
  return { message: 'Wallet retrieved.', data }
})

/** The amount (msats) whose fee shows the node's percentage: a million sats. */
const MILLION_SATS = msats(1_000_000_000n)

function nodeOf({ nodeWatch, backend }: ServiceParts, balance: bigint) {
  const { last } = nodeWatch
  if (last === undefined) return undefined
  const [base, most] = [backend.tariff(ZERO), backend.tariff(MILLION_SATS)]
  const { offers: pays, bitcoinNames: names, ownOffers: receives } = backend.capabilities
  const tariff = base !== undefined && most !== undefined && { base, partsPerMillion: Number(most - base) / 1_000 }
  return {
    node: {
      // A sandbox's sats come from nowhere, so its node's balance means nothing.
      state: stateOf(last, backend.kind === 'sandbox' ? 0n : balance),
      ...((pays || receives) && { offers: { pays, names, receives } }),
      ...(tariff && { tariff: { ...tariff, base: tariff.base.toString() } }),
    },
  }
}

/** Returns the node's state for callers who pay with it. Only the node's operator sees the reason. */
function stateOf({ health, balances }: NodeView, balance: bigint): 'ready' | 'low' | 'starting' | 'syncing' | 'away' {
  if (health.state === 'refused') return 'away'
  if (health.state !== 'ready') return health.state
  return balances?.spendable !== undefined && balances.spendable < balance ? 'low' : 'ready'
}
