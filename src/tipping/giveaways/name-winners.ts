import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Giveaway } from '../generated/client.ts'

const MINUTE_MS = 60_000

interface NewRound {
  /** The number of the round: 0 is the draw, and each later round is for unclaimed prizes. */
  readonly round: number
  /** The place of the first of these people in the draw's order. */
  readonly place: number
  /** The people to name, in the draw's order. */
  readonly members: readonly string[]
  /** The giveaway's columns that the draw changes. */
  readonly draw?: { readonly state: string; readonly beaconSignature: string | null; readonly endedAt: Date }
  /** The number of claims when the round was planned. If it has changed, nobody is named. */
  readonly claimed?: number
}

/**
 * Names people who must claim their prizes from now on. Their prizes stay in the pot. If two processes name the same
 * round, the second changes nothing.
 */
export async function nameWinners(context: TippingContext, giveaway: Giveaway, planned: NewRound): Promise<void> {
  const { id, channel, claimMinutes } = giveaway
  const { round, place, members, draw, claimed = 0 } = planned
  const [card, at] = [context.entropy.uuid(), now(context)]
  const until = new Date(at.getTime() + (claimMinutes ?? 0) * MINUTE_MS)
  const claims = members.map((member, nth) => ({
    ...{ id: context.entropy.uuid(), giveawayId: id, round, place: place + nth, member, card, until, createdAt: at },
  }))
  await context.commit({
    write: async (tx) => {
      const state = draw === undefined ? 'drawn' : 'sealed'
      const { count } = await tx.giveaway.updateMany({ where: { id, state, settledAt: null }, data: draw ?? { state } })
      const before = await tx.giveawayClaim.count({ where: { giveawayId: id } })
      if (count === 0 || before !== place || (await claimedIn(tx, id)) !== claimed) return
      await tx.giveawayClaim.createMany({ data: claims })
      const kind = round === 0 ? 'giveaway-drawn' : 'giveaway-redraw'
      const record = round === 0 ? id : `${id}/${round}`
      await tx.card.create({ data: context.cards.values({ id: card, kind, record, audience: { channel } }) })
      await schedulePoll(tx, { id, kind: 'giveaway', bornAt: giveaway.createdAt }, until)
      await context.cards.raise(tx, await cardsOf(tx, giveaway))
    },
  })
  void context.poller.wake()
}

/**
 * Returns how many prizes were claimed. Counts claims, not the rows of paid prizes: those are written after all changes
 * of a transaction were checked, and may not be there yet.
 */
export async function claimedIn(tx: Pick<Tx, 'giveawayClaim'>, giveawayId: string): Promise<number> {
  return await tx.giveawayClaim.count({ where: { giveawayId, claimedAt: { not: null } } })
}

/** Returns the ids of a giveaway's card, and of the cards that name people who could claim. */
export async function cardsOf(
  client: Pick<TippingContext['database']['read'], 'giveawayClaim'>,
  { id, card }: Pick<Giveaway, 'id' | 'card'>,
): Promise<string[]> {
  const claims = await client.giveawayClaim.findMany({ where: { giveawayId: id }, select: { card: true } })
  return [...new Set([card, ...claims.map((claim) => claim.card)])]
}
