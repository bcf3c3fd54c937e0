import { feeLimit, type Msats } from '../../lib/money/amount.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/**
 * Returns the fee reserve and the fee limit for sending an amount: the node's fixed price, if it has one, else the
 * usual fee limit.
 */
export async function feeLimits({
  providerNode,
  settings,
}: Pick<TippingContext, 'providerNode' | 'settings'>): Promise<(amount: Msats) => Msats> {
  const { priceOf } = await providerNode()
  return (amount) => priceOf(amount) ?? feeLimit(amount, settings.feeLimitPercent)
}
