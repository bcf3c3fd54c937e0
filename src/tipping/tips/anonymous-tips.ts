import type { CoreContext } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'

/**
 * Checks whether the server now permits an anonymous tip, and checks again in the transaction that gives it. Throws
 * TippingRefusal `anonymous-from-pool` or `anonymous-off`. The latter also applies outside servers, where there is
 * nobody to hide from, and if nobody has a balance.
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
 * Returns the origin of an anonymous tip's card. It is a separate message, because Discord shows above an answer who
 * used the command, and it is never in its giver's language.
 */
export function withoutGiver(origin: Origin): Origin {
  return { ...origin, reply: '', locale: 'en' }
}
