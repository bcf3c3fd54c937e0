import { AlreadyWritten } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { restoreBudgets } from '../core/budgets.ts'
import { heldOfPool, pool } from '../core/chart-of-accounts.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { Gift } from '../engine/gifts/gifts.ts'
import { noteDue, startOnward } from '../engine/gifts/onward.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { restoredSince } from '../engine/outgoing/outgoing-payments-switch.ts'
import { needServerWallet } from '../engine/own-wallets/server-wallet.ts'
import { pollPayments, startPayments } from '../engine/own-wallets/wallet-gift.ts'
import { type ApprovedFunding, fromPool } from '../engine/spending/spending.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Reward } from '../generated/client.ts'
import { ownAddressRecipient } from './address-recipients.ts'
import type { ListGift } from './lists.ts'
import { mustStillBePayable } from './pay-list.ts'
import { payReward, payRewardFromWallet } from './pay-reward.ts'
import type { RewardApproval, RewardDecision, RewardView } from './rewards.ts'
import { viewReward } from './view-reward.ts'

/** Gives an approved gift together with the changes in `funding`, without answering a command. */
export type GiveApproved = (context: TippingContext, gift: Gift, funding: ApprovedFunding) => Promise<void>

/** Approves a reward. Throws TippingRefusal `reward-needs-another` or `reward-decided`, or the gift's own refusals. */
export async function approveReward(
  context: TippingContext,
  decision: RewardApproval,
  giveApproved: GiveApproved,
): Promise<RewardView> {
  const reward = await waiting(context, decision)
  if (reward === undefined) return await viewReward(context, decision.reward)
  const { member, person } = decision
  const { read } = context.database
  const own = await ownAddressRecipient(read, member)
  const getsIt = await read.rewardShare.findFirst({
    where: { rewardId: reward.id, recipient: { in: own === undefined ? [member] : [member, own] } },
  })
  if (member === reward.requester || getsIt !== null) throw new TippingRefusal('reward-needs-another', {})
  await (reward.gift === null
    ? approve(context, reward, member)
    : approveGift(context, reward, { decider: member, person }, giveApproved))
  return await viewReward(context, reward.id)
}

/**
 * Gives an approved gift. In the same change, the reserved sum returns to the pool, which pays the gift, unless the
 * server's wallet pays.
 */
async function approveGift(
  context: TippingContext,
  reward: Reward,
  { decider, person }: { readonly decider: string; readonly person: RewardApproval['person'] },
  giveApproved: GiveApproved,
): Promise<void> {
  const { id, guild, amount } = reward
  const gift = JSON.parse(reward.gift ?? '') as Gift
  if (gift.kind === 'list')
    await mustStillBePayable(context, (gift as ListGift).command, { sentAt: reward.createdAt, person })
  const moves = [{ from: heldOfPool(guild), to: pool(guild), amount: msats(amount) }]
  const write = (tx: Tx, { id: record }: { readonly id: string }) =>
    settle(context, tx, reward, { state: 'paid', decider, decidedAt: now(context), record })
  const taken: ApprovedFunding =
    reward.source === 'wallet'
      ? { wallet: true, pool: guild, write }
      : fromPool(guild, [{ operation: id, step: 'post', moves }], write)
  const funding = { ...taken, card: reward.card }
  // The gift's card is a separate message, because the answer to the command shows the reward.
  const origin = { ...gift.command.origin, interaction: `approved ${id}`, reply: '' }
  const approved = { ...gift, command: { ...gift.command, origin } }
  await decideOnce(() => giveApproved(context, approved, funding))
  const decided = await context.database.read.reward.findUniqueOrThrow({ where: { id } })
  if (decided.decider !== decider) throw new TippingRefusal('reward-decided', {})
}

async function approve(context: TippingContext, reward: Reward, decider: string): Promise<void> {
  const at = now(context)
  if (reward.source === 'wallet') return await approveFromWallet(context, reward, { decider, decidedAt: at })
  const payment = await payReward(context, { ...reward, amount: msats(reward.amount), from: 'aside', at })
  await decideOnce(() =>
    context.commit({
      entries: payment.entries,
      rows: payment.rows,
      write: async (tx) => {
        await noteDue(context, tx, payment.onward)
        await settle(context, tx, reward, { state: 'paid', decider, decidedAt: at })
      },
    }),
  )
  await startOnward(context, payment.onward)
}

/** Approves a reward that the server's wallet pays now. Only the wallet can report whether it has enough sats. */
async function approveFromWallet(
  context: TippingContext,
  reward: Reward,
  decided: { readonly decider: string; readonly decidedAt: Date },
): Promise<void> {
  const route = await needServerWallet(context, reward.guild, [reward.recipient])
  const due = { ...reward, amount: msats(reward.amount), at: decided.decidedAt }
  const { rows, gift } = payRewardFromWallet(context, due, route)
  await context.commit({
    rows,
    write: async (tx) => {
      await settle(context, tx, reward, { state: 'paid', ...decided })
      await pollPayments(tx, gift)
    },
  })
  startPayments(context, gift)
}

/** Denies a reward, or withdraws the moderator's own request. Returns the sum to the pool, and restores the budget. */
export async function denyReward(context: TippingContext, decision: RewardDecision): Promise<RewardView> {
  const reward = await waiting(context, decision)
  if (reward === undefined) return await viewReward(context, decision.reward)
  const moves = [{ from: heldOfPool(reward.guild), to: pool(reward.guild), amount: msats(reward.amount) }]
  await decideOnce(() =>
    context.commit({
      entries: reward.source === 'wallet' ? [] : [{ operation: reward.id, step: 'void', moves }],
      write: async (tx) => {
        await restoreBudgets(tx, reward, reward.amount)
        await settle(context, tx, reward, { state: 'denied', decider: decision.member, decidedAt: now(context) })
      },
    }),
  )
  return await viewReward(context, reward.id)
}

/**
 * Returns a reward that waits for a decision; undefined if this person has already decided it, so that a second press
 * does nothing.
 */
async function waiting(
  { database }: ReadonlyBook,
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
  reward: Reward,
  decided: Pick<Reward, 'state' | 'decidedAt'> & { readonly decider: string; readonly record?: string },
): Promise<void> {
  const { id, kind, gift, guild, card, amount, recipient } = reward
  if (decided.state === 'paid') await mustNotBeRestored(tx, reward)
  // The stored request says only that the gift was made.
  const data = { ...decided, ...(gift !== null && { gift: '{}' }) }
  const { count } = await tx.reward.updateMany({ where: { id, state: 'asked' }, data })
  if (count === 0) throw new TippingRefusal('reward-decided', {})
  await context.cards.raise(tx, [card])
  const action = decided.state === 'paid' ? 'approve' : 'deny'
  await logModeration(context, tx, {
    guild,
    member: decided.decider,
    action,
    about: { reward: id, ...(kind === 'reward' ? { to: recipient } : { kind }), amount },
  })
}

/**
 * Refuses to pay a wallet's reward after a restore. If a reward was approved after the backup, the wallet may have paid
 * it, and the restored book does not show that. A reward from the pool moves only inside the book, so it is safe.
 */
async function mustNotBeRestored(tx: Tx, { source, createdAt }: Reward): Promise<void> {
  if (source === 'wallet' && (await restoredSince(tx, createdAt))) throw new TippingRefusal('reward-restored', {})
}

/** Makes a decision only once. If two people decide at the same time, the second is refused. */
async function decideOnce(decide: () => Promise<void>): Promise<void> {
  try {
    await decide()
  } catch (error) {
    throw error instanceof AlreadyWritten ? new TippingRefusal('reward-decided', {}) : error
  }
}
