import type { CoreContext } from '../../core/context.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'

/** Returns the announced end of this bot; null if there is none. */
export async function announcedEnd({ database }: Pick<CoreContext, 'database'>) {
  return await database.read.windDown.findFirst({ where: { state: { in: ['on', 'listed'] } } })
}

/**
 * Throws TippingRefusal `winding-down` if this bot's end has been announced, because nothing new may then fill a
 * balance or a pool.
 */
export async function mustAcceptDeposits(context: Pick<CoreContext, 'database'>): Promise<void> {
  const windDown = await announcedEnd(context)
  if (windDown !== null) throw new TippingRefusal('winding-down', { until: windDown.by })
}
