import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { pollAgain } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { FundraiserView, Pools } from './pools.ts'
import { raisedOf, readFundraiserView } from './view-pool.ts'

/** Ends a fundraiser before its goal. Throws TippingRefusal `fundraiser-over`. */
export async function closeFundraiser(
  context: TippingContext,
  { fundraiser, member }: Parameters<Pools['closeFundraiser']>[0],
): Promise<FundraiserView> {
  const { guild } = await readFundraiserView(context, fundraiser)
  await context.commit({
    write: async (tx) => {
      if (!(await end(context, tx, fundraiser, 'closed'))) throw new TippingRefusal('fundraiser-over', {})
      await logModeration(context, tx, { guild, member, action: 'fundraiser-closed', about: { fundraiser } })
    },
  })
  void context.poller.wake()
  return await readFundraiserView(context, fundraiser)
}

/** Has a fundraiser's card redrawn after a payment, and ends the fundraiser if its goal is reached. */
export async function noteProgress(context: TippingContext, tx: Tx, id: string): Promise<void> {
  const fundraiser = await tx.fundraiser.findUniqueOrThrow({ where: { id } })
  if (raisedOf(fundraiser) >= fundraiser.goal) await end(context, tx, id, 'reached')
  await context.cards.raise(tx, [fundraiser.card])
}

/**
 * Ends a fundraiser, and returns false if it has already ended. Schedules one more poll, which disables the
 * fundraiser's charge.
 */
async function end(context: TippingContext, tx: Tx, id: string, state: 'reached' | 'closed'): Promise<boolean> {
  const endedAt = now(context)
  const { count } = await tx.fundraiser.updateMany({ where: { id, state: 'open' }, data: { state, endedAt } })
  if (count === 0) return false
  const { card } = await tx.fundraiser.findUniqueOrThrow({ where: { id } })
  await context.cards.raise(tx, [card])
  await pollAgain(tx, [id], endedAt)
  return true
}
