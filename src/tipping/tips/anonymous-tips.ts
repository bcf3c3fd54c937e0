import type { CoreContext } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'

/**
 * Whether a tip may be anonymous, as its server wants it now. Asked in the transaction that gives it, too. Throws TippingRefusal
 * `anonymous-from-pool`, or `anonymous-off`: also outside of servers, where there is nobody to hide from, and where nobody has a balance.
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
 * The place of an anonymous tip: a separate message, since Discord shows above an answer who used the command; and
 * never in its giver's language.
 */
export function withoutGiver(origin: Origin): Origin {
  return { ...origin, reply: '', locale: 'en' }
}
