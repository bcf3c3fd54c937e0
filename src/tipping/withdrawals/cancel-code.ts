import { lacksOperation, refusalOf } from '../core/provider-refusal.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { takeHint } from '../engine/polling/take-hint.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Decision } from './withdrawals.ts'

/**
 * Asks the provider to end a shown code. Does not return the sats itself: the poll that follows reads the provider's
 * record, and returns them if it says `expired`.
 */
export async function cancelCode(
  context: TippingContext,
  { withdrawal: id, member }: Decision,
): Promise<'cancelled' | 'claimed'> {
  const withdrawal = await context.database.read.withdrawal.findFirst({ where: { id } })
  if (withdrawal !== null && withdrawal.member !== member) throw new TippingRefusal('not-yours', {})
  if (withdrawal?.state === 'claimed') return 'claimed'
  if (withdrawal?.state !== 'offered' || withdrawal.remoteId === null) throw new TippingRefusal('withdrawal-over', {})
  try {
    const { data } = await context.payments.cancelWithdrawalRequest({ id: withdrawal.remoteId })
    return data.status === 'expired' ? 'cancelled' : 'claimed'
  } catch (error) {
    if (!lacksOperation(error)) throw refusalOf(error)
    throw new TippingRefusal('code-not-cancellable', { until: withdrawal.expiresAt ?? new Date(0) })
  } finally {
    // Poll even if nobody heard whether the request succeeded.
    if (withdrawal.token !== null) await takeHint(context, withdrawal.token, undefined)
  }
}
