import { feeLimit, type Msats } from '../../lib/money/amount.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/**
 * Fee reserve and fee limit for sending an amount: the fixed price of the provider's node where it has one, else the
 * usual fee limit.
 */
export async function feeLimits({
  providerNode,
  settings,
}: Pick<TippingContext, 'providerNode' | 'settings'>): Promise<(amount: Msats) => Msats> {
  const { priceOf } = await providerNode()
  return (amount) => priceOf(amount) ?? feeLimit(amount, settings.feeLimitPercent)
}
