import { feeLimit, type Msats } from '../../lib/money/amount.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/**
 * What is kept back for the fee of sending an amount, and what it may cost at most: the fixed price of the provider's node
 * where it has one, else the usual fee limit.
 */
export async function feeLimits({
  providerNode,
  settings,
}: Pick<TippingContext, 'providerNode' | 'settings'>): Promise<(amount: Msats) => Msats> {
  const { priceOf } = await providerNode()
  return (amount) => priceOf(amount) ?? feeLimit(amount, settings.feeLimitPercent)
}
