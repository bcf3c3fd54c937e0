import { hashOfEntrants, inOrder } from '../../lib/proofs/provable-draw.ts'
import { now } from '../core/context.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/**
 * Closes a giveaway to new entrants: from here on, the list is fixed by its hash and the database. The hash is
 * published before the seed is revealed: by the giveaway's card, or, if a public value is mixed in, by a separate card,
 * because a new message's id shows when the message was published. Does nothing if the giveaway is not open, or has not
 * ended.
 */
export async function sealGiveaway(context: TippingContext, id: string): Promise<void> {
  const [card, at] = [context.entropy.uuid(), now(context)]
  await context.commit({
    write: async (tx) => {
      const giveaway = await tx.giveaway.findUnique({ where: { id } })
      // At the moment when it ended for this process, somebody may have given it a later end.
      if (giveaway?.state !== 'open' || giveaway.endsAt > at) return
      const entrants = await tx.giveawayEntry.findMany({ where: { giveawayId: id } })
      const entrantsHash = hashOfEntrants(id, inOrder(entrants))
      await tx.giveaway.update({ where: { id, state: 'open' }, data: { state: 'sealed', entrantsHash, sealedAt: at } })
      if (giveaway.beaconRound !== null) {
        const audience = { channel: giveaway.channel }
        const data = context.cards.values({ id: card, kind: 'giveaway-sealed', record: id, audience })
        await tx.card.create({ data })
      }
      await context.cards.raise(tx, [giveaway.card])
      await schedulePoll(tx, { id, kind: 'giveaway', bornAt: giveaway.createdAt }, at)
    },
  })
  void context.poller.wake()
}
