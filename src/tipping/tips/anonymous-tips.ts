import type { CoreContext } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'

/**
 * Checks whether the server permits an anonymous tip. The check is repeated in the transaction that gives the tip.
 * Throws TippingRefusal `anonymous-from-pool` or `anonymous-off`. The latter also applies outside servers, where there
 * is nobody to hide from, and in a bot without balances.
 */
export async function mustAllowAnonymous(
  { settings }: Pick<CoreContext, 'settings'>,
  client: Pick<Tx, 'server'>,
  { anonymous, pool, origin: { guild } }: TipCommand,
): Promise<void> {
  if (!anonymous) return
  if (pool !== undefined) throw new TippingRefusal('anonymous-from-pool', {})
  const server = guild === null ? null : await client.server.findFirst({ where: { guild } })
  if (guild === null || settings.custody === 'none' || server?.noAnonymousTips) {
    throw new TippingRefusal('anonymous-off', {})
  }
}

/**
 * Returns the origin of an anonymous tip's card. The card is a separate message, because Discord shows above an answer
 * who used the command. The card is never in the giver's own language.
 */
export function withoutGiver(origin: Origin): Origin {
  return { ...origin, reply: '', locale: 'en' }
}
