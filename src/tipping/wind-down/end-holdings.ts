import { TippingRefusal } from '../core/tipping-refusal.ts'
import { endDrop } from '../drops/poll-drop.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { cancelGiveaway } from '../giveaways/decide-giveaway.ts'
import { denyReward } from '../rewards/decide-reward.ts'
import { returnAllUnclaimed } from '../tips/return-unclaimed.ts'

/**
 * Ends what holds sats for people who are not known yet. Unclaimed tips and giveaways go back, drops end as at their time, and rewards that
 * wait for a second moderator are cancelled. A sealed giveaway draws by itself.
 */
export async function endHoldings(context: TippingContext): Promise<void> {
  const { read } = context.database
  await returnAllUnclaimed(context)
  for (const { id } of await read.drop.findMany({ where: { state: 'open' }, select: { id: true } })) {
    await endDrop(context, id, null)
  }
  for (const { id: giveaway, starter: member, guild } of await read.giveaway.findMany({ where: { state: 'open' } })) {
    await unlessDecided(cancelGiveaway(context, { giveaway, member, guild, moderator: false }))
  }
  for (const { id: reward, requester: member } of await read.reward.findMany({ where: { state: 'asked' } })) {
    await unlessDecided(denyReward(context, { reward, member }))
  }
}

/** Somebody may have been quicker. */
async function unlessDecided(decision: Promise<unknown>): Promise<void> {
  await decision.catch((error: unknown) => {
    if (!(error instanceof TippingRefusal)) throw error
  })
}
