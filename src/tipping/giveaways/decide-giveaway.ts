import { AlreadyWritten } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { pot } from '../core/chart-of-accounts.ts'
import { Overtaken } from '../core/commit-end.ts'
import { now } from '../core/context.ts'
import { giverOf } from '../core/giver.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Giveaway } from '../generated/client.ts'
import { endSoon } from './end-soon.ts'
import { findGiveaway } from './find-giveaway.ts'
import type { GiveawayDecision, GiveawayView } from './giveaways.ts'
import { viewGiveaway } from './view-giveaway.ts'

/**
 * Announces that a giveaway ends a minute from now, for its starter alone: a moderator who has entered, or who has a
 * friend in it, would choose the moment of somebody else's draw. The beacon of the new end is one that nobody knows
 * yet. It is in the channel and in the moderation log. One that ends within a minute anyway stays as it is. Throws
 * TippingRefusal `giveaway-not-found`, `not-yours`, `giveaway-cancel-only` for a moderator, or `giveaway-over` when
 * cancelled.
 */
export async function endGiveaway(context: TippingContext, command: GiveawayDecision): Promise<GiveawayView> {
  const giveaway = await findGiveaway(context, command)
  if (giveaway.starter !== command.member) {
    throw new TippingRefusal(command.moderator ? 'giveaway-cancel-only' : 'not-yours', {})
  }
  if (giveaway.state === 'cancelled') throw new TippingRefusal('giveaway-over', {})
  await shorten(context, giveaway)
  return await viewGiveaway(context, giveaway.id)
}

async function shorten(context: TippingContext, { id, guild, channel, starter }: Giveaway): Promise<void> {
  const card = context.entropy.uuid()
  await context.commit({
    write: async (tx) => {
      const giveaway = await tx.giveaway.findUnique({ where: { id } })
      if (giveaway?.state !== 'open') return
      const endsAt = await endSoon(context, tx, giveaway)
      if (endsAt.getTime() === giveaway.endsAt.getTime()) return
      await tx.card.create({
        data: context.cards.values({ id: card, kind: 'giveaway-ending', record: id, audience: { channel } }),
      })
      await context.cards.raise(tx, [giveaway.card])
      if (guild === null) return
      const about = { giveaway: id, from: giveaway.endsAt.toISOString(), to: endsAt.toISOString() }
      await logModeration(context, tx, { guild, member: starter, action: 'giveaway-ended-early', about })
    },
  })
  void context.poller.wake()
}

/**
 * Calls a giveaway off: everything goes back. Where a moderator does it, the card and the moderation log say who. Throws TippingRefusal `giveaway-not-found`, `not-yours`, or `giveaway-over`
 * once it is sealed.
 */
export async function cancelGiveaway(context: TippingContext, command: GiveawayDecision): Promise<GiveawayView> {
  for (;;) {
    try {
      return await cancel(context, command)
    } catch (error) {
      // More was set aside in the same moment.
      if (!(error instanceof Overtaken)) throw error
    }
  }
}

async function cancel(context: TippingContext, command: GiveawayDecision): Promise<GiveawayView> {
  const giveaway = await findGiveaway(context, command)
  const { id, prize, winners, starter, guild, pool } = giveaway
  const { member, moderator } = command
  if (member !== starter && !moderator) throw new TippingRefusal('not-yours', {})
  // From the draw on, what is in the pot is the winners'.
  if (giveaway.state === 'drawn') throw new TippingRefusal('giveaway-over', {})
  const cancelledBy = member === starter ? null : member
  const moves = [
    { from: pot(id), to: giverOf({ giver: starter, pool }).account, amount: msats(prize * BigInt(winners)) },
  ]
  try {
    await context.commit({
      entries: [{ operation: id, step: 'void', moves }],
      write: async (tx) => {
        const data = { state: 'cancelled', endedAt: now(context), cancelledBy }
        const { count } = await tx.giveaway.updateMany({ where: { id, state: 'open', prize, winners }, data })
        if (count === 0) {
          const isOpen = (await tx.giveaway.count({ where: { id, state: 'open' } })) > 0
          throw isOpen ? new Overtaken(`giveaway ${id} has grown`) : new TippingRefusal('giveaway-over', {})
        }
        await tx.pollJob.update({ where: { id }, data: { nextAt: null } })
        await context.cards.raise(tx, [giveaway.card])
        if (cancelledBy === null || guild === null) return
        const about = { giveaway: id, of: starter, amount: prize * BigInt(winners) }
        await logModeration(context, tx, { guild, member, action: 'giveaway-cancelled', about })
      },
    })
  } catch (error) {
    if (!(error instanceof AlreadyWritten)) throw error
    // It has ended; asking for the same again is not a mistake.
    const view = await viewGiveaway(context, id)
    if (view.state !== 'cancelled') throw new TippingRefusal('giveaway-over', {})
    return view
  }
  return await viewGiveaway(context, id)
}
