import type { CoreContext } from '../../core/context.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'

/** Throws TippingRefusal `winding-down` once this bot is to end: nothing new is asked for that would fill a balance or a pool. */
export async function mustAcceptDeposits({ database }: Pick<CoreContext, 'database'>): Promise<void> {
  const windDown = await database.read.windDown.findFirst({ where: { state: { in: ['on', 'listed'] } } })
  if (windDown !== null) throw new TippingRefusal('winding-down', { until: windDown.by })
}
