import { AlreadyWritten } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { heldOfPool, pool } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { noteDue, startOnward } from '../engine/gifts/onward.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Reward } from '../generated/client.ts'
import { restoreBudget } from '../pools/budgets.ts'
import { payReward } from './pay-reward.ts'
import type { RewardDecision, RewardView } from './rewards.ts'
import { viewReward } from './view-reward.ts'

/** Says yes. Throws TippingRefusal `reward-needs-another` or `reward-decided`. */
export async function approveReward(context: TippingContext, decision: RewardDecision): Promise<RewardView> {
  const reward = await waiting(context, decision)
  if (reward === undefined) return await viewReward(context, decision.reward)
  if (decision.member === reward.requester || decision.member === reward.recipient) {
    throw new TippingRefusal('reward-needs-another', {})
  }
  const at = now(context)
  const payment = await payReward(context, { ...reward, amount: msats(reward.amount), from: 'aside', at })
  await decideOnce(() =>
    context.commit({
      entries: payment.entries,
      rows: payment.rows,
      write: async (tx) => {
        await noteDue(context, tx, payment.onward)
        await settle(context, tx, reward, { state: 'paid', decider: decision.member, decidedAt: at })
      },
    }),
  )
  await startOnward(context, payment.onward)
  return await viewReward(context, reward.id)
}

/** Says no, or calls one's own off: the sum goes back into the pool, and what it took of the budget is given back. */
export async function denyReward(context: TippingContext, decision: RewardDecision): Promise<RewardView> {
  const reward = await waiting(context, decision)
  if (reward === undefined) return await viewReward(context, decision.reward)
  const moves = [{ from: heldOfPool(reward.guild), to: pool(reward.guild), amount: msats(reward.amount) }]
  await decideOnce(() =>
    context.commit({
      entries: [{ operation: reward.id, step: 'void', moves }],
      write: async (tx) => {
        await restoreBudget(tx, reward, reward.amount)
        await settle(context, tx, reward, { state: 'denied', decider: decision.member, decidedAt: now(context) })
      },
    }),
  )
  return await viewReward(context, reward.id)
}

/** Undefined when this very person has decided it before: pressing twice does nothing twice. */
async function waiting(
  { database }: TippingContext,
  { reward: id, member }: RewardDecision,
): Promise<Reward | undefined> {
  const reward = await database.read.reward.findUnique({ where: { id } })
  if (reward === null) throw new TippingRefusal('not-there', {})
  if (reward.state === 'asked') return reward
  if (reward.decider === member) return undefined
  throw new TippingRefusal('reward-decided', {})
}

async function settle(
  context: TippingContext,
  tx: Tx,
  { id, guild, card, amount, recipient }: Reward,
  decided: { readonly state: 'paid' | 'denied'; readonly decider: string; readonly decidedAt: Date },
): Promise<void> {
  const { count } = await tx.reward.updateMany({ where: { id, state: 'asked' }, data: decided })
  if (count === 0) throw new TippingRefusal('reward-decided', {})
  await context.cards.raise(tx, [card])
  const action = decided.state === 'paid' ? 'approve' : 'deny'
  await logModeration(context, tx, {
    guild,
    member: decided.decider,
    action,
    about: { reward: id, to: recipient, amount },
  })
}

/** Of two who decide at once, one is too late. */
async function decideOnce(decide: () => Promise<void>): Promise<void> {
  try {
    await decide()
  } catch (error) {
    throw error instanceof AlreadyWritten ? new TippingRefusal('reward-decided', {}) : error
  }
}
