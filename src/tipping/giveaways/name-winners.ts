import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Giveaway } from '../generated/client.ts'

const MINUTE_MS = 60_000

interface NewRound {
  /** 0: the draw; each further one is for unclaimed prizes. */
  readonly round: number
  /** Of the first of them in the line. */
  readonly place: number
  /** In the order of the line. */
  readonly members: readonly string[]
  /** The changes of the giveaway that the draw makes. */
  readonly draw?: { readonly state: string; readonly beaconSignature: string | null; readonly endedAt: Date }
  /** Number of claims when the round was planned; if it differs, nothing is drawn. */
  readonly claimed?: number
}

/**
 * Names people who must claim their prizes from now on. Their prizes stay in the pot. The second of two that name a
 * round changes nothing.
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

/** How many prizes were claimed. The prizes themselves are written after all changes of a transaction were judged: they may not be there yet. */
export async function claimedIn(tx: Pick<Tx, 'giveawayClaim'>, giveawayId: string): Promise<number> {
  return await tx.giveawayClaim.count({ where: { giveawayId, claimedAt: { not: null } } })
}

/** The card of a giveaway, and those that name people who can claim. */
export async function cardsOf(
  client: Pick<TippingContext['database']['read'], 'giveawayClaim'>,
  { id, card }: Pick<Giveaway, 'id' | 'card'>,
): Promise<string[]> {
  const claims = await client.giveawayClaim.findMany({ where: { giveawayId: id }, select: { card: true } })
  return [...new Set([card, ...claims.map((claim) => claim.card)])]
}
