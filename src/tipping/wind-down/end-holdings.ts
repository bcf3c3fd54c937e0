import { TippingRefusal } from '../core/tipping-refusal.ts'
import { endDrop } from '../drops/poll-drop.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { cancelGiveaway } from '../giveaways/end-giveaway.ts'
import { denyReward } from '../rewards/decide-reward.ts'
import { returnAllUnclaimed } from '../tips/return-unclaimed.ts'

/**
 * Ends records that hold sats for people who are not known yet. Unclaimed tips and unsealed giveaways go back, drops
 * end now, and rewards that wait for a second moderator are cancelled. A sealed giveaway is still drawn.
 */
export async function endHoldings(context: TippingContext): Promise<void> {
  const { read } = context.database
  await returnAllUnclaimed(context)
  for (const { id } of await read.drop.findMany({ where: { state: 'open' }, select: { id: true } })) {
    await endDrop(context, id, null)
  }
  for (const { id: giveaway, starter: member, guild } of await read.giveaway.findMany({ where: { state: 'open' } })) {
    await unlessDecided(cancelGiveaway(context, { giveaway, member, guild, moderator: false }, null))
  }
  for (const { id: reward, requester: member } of await read.reward.findMany({ where: { state: 'asked' } })) {
    await unlessDecided(denyReward(context, { reward, member }))
  }
}

/** Waits for a decision, and ignores a refusal: somebody else has decided first. */
async function unlessDecided(decision: Promise<unknown>): Promise<void> {
  await decision.catch((error: unknown) => {
    if (!(error instanceof TippingRefusal)) throw error
  })
}
