import { AlreadyWritten } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { pot } from '../core/chart-of-accounts.ts'
import { Overtaken } from '../core/commit-end.ts'
import { now } from '../core/context.ts'
import { giverOf } from '../core/giver.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { logReturn } from '../engine/spending/log-return.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Giveaway } from '../generated/client.ts'
import { endSoon } from './end-soon.ts'
import { findGiveaway } from './find-giveaway.ts'
import type { GiveawayDecision, GiveawayView } from './giveaways.ts'
import { viewGiveaway } from './view-giveaway.ts'

/**
 * Announces that a giveaway ends a minute from now. Only its starter may do so: a moderator who has entered, or whose
 * friend has, could choose the moment of another member's draw. Nobody knows the beacon of the new end yet. The channel
 * and the moderation log show the new end. A giveaway that ends within a minute anyway stays as it is. Throws
 * TippingRefusal `giveaway-not-found`, `not-yours`, `giveaway-cancel-only` for a moderator, or `giveaway-over` if it
 * was cancelled.
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
 * Cancels a giveaway and returns everything. If a moderator cancels it, the card and the moderation log show the
 * moderator's name. `by` is null if Satchel cancels it automatically. Throws TippingRefusal `giveaway-not-found`,
 * `not-yours`, or `giveaway-over` if it is already sealed.
 */
export async function cancelGiveaway(
  context: TippingContext,
  command: GiveawayDecision,
  by: string | null = command.member,
): Promise<GiveawayView> {
  for (;;) {
    try {
      return await cancel(context, command, by)
    } catch (error) {
      // More was reserved at the same moment.
      if (!(error instanceof Overtaken)) throw error
    }
  }
}

async function cancel(context: TippingContext, command: GiveawayDecision, by: string | null): Promise<GiveawayView> {
  const giveaway = await findGiveaway(context, command)
  const { id, prize, winners, starter, guild, pool } = giveaway
  const { member, moderator } = command
  if (member !== starter && !moderator) throw new TippingRefusal('not-yours', {})
  // After the draw, the pot belongs to the winners.
  if (giveaway.state === 'drawn') throw new TippingRefusal('giveaway-over', {})
  const cancelledBy = member === starter ? null : member
  const amount = msats(prize * BigInt(winners))
  const moves = [{ from: pot(id), to: giverOf({ giver: starter, pool }).account, amount }]
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
        if (cancelledBy !== null && guild !== null) {
          const about = { giveaway: id, of: starter, ...(pool === null && { amount }) }
          await logModeration(context, tx, { guild, member, action: 'giveaway-cancelled', about })
        }
        await logReturn(context, tx, { pool, by, record: id, amount })
      },
    })
  } catch (error) {
    if (!(error instanceof AlreadyWritten)) throw error
    // It has already ended. Repeating the request is not an error.
    const view = await viewGiveaway(context, id)
    if (view.state !== 'cancelled') throw new TippingRefusal('giveaway-over', {})
    return view
  }
  return await viewGiveaway(context, id)
}
