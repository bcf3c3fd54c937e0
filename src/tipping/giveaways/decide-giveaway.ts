import { AlreadyWritten } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { findGiveaway } from './find-giveaway.ts'
import type { GiveawayDecision, GiveawayView } from './giveaways.ts'
import { sealGiveaway } from './seal-giveaway.ts'
import { viewGiveaway } from './view-giveaway.ts'

/**
 * Ends a giveaway before its time, for its starter alone: a moderator who has entered, or who has a friend in it, would choose
 * the moment of somebody else's draw. Throws TippingRefusal `giveaway-not-found`, `not-yours`, `giveaway-cancel-only` for a
 * moderator, or `giveaway-over` when called off.
 */
export async function endGiveaway(context: TippingContext, command: GiveawayDecision): Promise<GiveawayView> {
  const giveaway = await findGiveaway(context, command)
  if (giveaway.starter !== command.member) {
    throw new TippingRefusal(command.moderator ? 'giveaway-cancel-only' : 'not-yours', {})
  }
  if (giveaway.state === 'cancelled') throw new TippingRefusal('giveaway-over', {})
  await sealGiveaway(context, giveaway.id)
  return await viewGiveaway(context, giveaway.id)
}

/**
 * Calls a giveaway off: everything goes back. Where a moderator does it, the card and the moderation log say who. Throws TippingRefusal `giveaway-not-found`, `not-yours`, or `giveaway-over`
 * once it is sealed.
 */
export async function cancelGiveaway(context: TippingContext, command: GiveawayDecision): Promise<GiveawayView> {
  const giveaway = await findGiveaway(context, command)
  const { id, prize, winners, starter, guild } = giveaway
  const { member, moderator } = command
  if (member !== starter && !moderator) throw new TippingRefusal('not-yours', {})
  const cancelledBy = member === starter ? null : member
  const moves = [{ from: pot(id), to: memberAccount(starter), amount: msats(prize * BigInt(winners)) }]
  try {
    await context.commit({
      entries: [{ operation: id, step: 'void', moves }],
      write: async (tx) => {
        const data = { state: 'cancelled', endedAt: now(context), cancelledBy }
        const { count } = await tx.giveaway.updateMany({ where: { id, state: 'open' }, data })
        if (count === 0) throw new TippingRefusal('giveaway-over', {})
        await tx.pollJob.update({ where: { id }, data: { nextAt: null } })
        await context.cards.raise(tx, [giveaway.card])
        if (cancelledBy === null || guild === null) return
        const about = { giveaway: id, of: starter, amount: prize * BigInt(winners) }
        await logModeration(context, tx, { guild, member, action: 'giveaway-cancelled', about })
      },
    })
  } catch (error) {
    if (!(error instanceof AlreadyWritten)) throw error
    // It has ended; asking for the same again is no mistake.
    const view = await viewGiveaway(context, id)
    if (view.state !== 'cancelled') throw new TippingRefusal('giveaway-over', {})
    return view
  }
  return await viewGiveaway(context, id)
}
