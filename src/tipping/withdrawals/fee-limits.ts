import { feeLimit, type Msats } from '../../lib/money/amount.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/**
 * Resolves to a function that returns the fee limit for an amount, which is also the sum to reserve: the node's fixed
 * price, if it has one, else the usual fee limit.
 */
export async function feeLimits({
  providerNode,
  settings,
}: Pick<TippingContext, 'providerNode' | 'settings'>): Promise<(amount: Msats) => Msats> {
  const { priceOf } = await providerNode()
  return (amount) => priceOf(amount) ?? feeLimit(amount, settings.feeLimitPercent)
}
