import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { GiveToAsk } from './asks.ts'

/**
 * Returns the tip with which a member gives to an ask: an ordinary tip, with limits, confirmation and invoice. The
 * tip's transaction checks again whether the ask is open. Throws TippingRefusal `not-there`, `ask-own` or `ask-over`.
 */
export async function tipForAsk(context: TippingContext, command: GiveToAsk): Promise<TipCommand> {
  const { ask: id, from, fromName, amount, accountSince, origin } = command
  const ask = await context.database.read.ask.findUnique({ where: { id } })
  // An ask has its buttons in only one channel.
  if (ask === null || ask.guild !== origin.guild || ask.channel !== origin.channel)
    throw new TippingRefusal('not-there', {})
  if (ask.member === from) throw new TippingRefusal('ask-own', {})
  // A redelivered press returns what it gave.
  const isOpen = ask.state === 'open' && ask.endsAt.getTime() > context.clock.now()
  if (!isOpen && !(await context.once.has(origin.interaction))) throw new TippingRefusal('ask-over', {})
  return {
    ...{ from, fromName, amount, accountSince, origin },
    to: [{ id: ask.member, bot: false }],
    note: ask.reason,
    // A card that counts cannot show wallets that wait for proof.
    source: 'balance',
    ask: { ask: id, card: ask.card },
  }
}
