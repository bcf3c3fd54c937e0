import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { Giveaway } from '../generated/client.ts'
import type { GiveawayDecision } from './giveaways.ts'

/**
 * Finds a giveaway of this server. Throws TippingRefusal `giveaway-not-found`, also for a giveaway of another server.
 */
export async function findGiveaway(
  { database }: ReadonlyBook,
  { giveaway: id, guild }: Pick<GiveawayDecision, 'giveaway' | 'guild'>,
): Promise<Giveaway> {
  const giveaway = await database.read.giveaway.findUnique({ where: { id } })
  if (giveaway === null || giveaway.guild !== guild) throw new TippingRefusal('giveaway-not-found', {})
  return giveaway
}
