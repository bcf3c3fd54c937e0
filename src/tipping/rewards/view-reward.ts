import { msats } from '../../lib/money/amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { viewWalletShare } from '../engine/own-wallets/view-wallet-share.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { viewShare } from '../tips/view-tip.ts'
import { listOutcomes } from './list-outcomes.ts'
import type { RewardView } from './rewards.ts'

/** Returns a reward's present view. Throws TippingRefusal `not-there`. */
export async function viewReward(context: TippingContext, id: string): Promise<RewardView> {
  const { database } = context
  const [reward, shares, share, payout, payment] = await Promise.all([
    database.read.reward.findUnique({ where: { id } }),
    database.read.rewardShare.findMany({ where: { rewardId: id }, orderBy: { recipient: 'asc' } }),
    database.read.tipShare.findUnique({ where: { id } }),
    database.read.payout.findUnique({ where: { cause: id } }),
    database.read.walletPayment.findUnique({ where: { id } }),
  ])
  if (reward === null) throw new TippingRefusal('not-there', {})
  const [apiKey, shown] = await Promise.all([
    reward.apiKey === null ? null : database.read.apiKey.findUnique({ where: { id: reward.apiKey } }),
    database.read.card.findUnique({ where: { id: reward.card } }),
  ])
  const { card, guild, requester, recipient, reason, decider } = reward
  return {
    ...{ id, key: shown?.interaction ?? id, card, guild, requester, recipient, reason },
    kind: reward.kind as RewardView['kind'],
    record: reward.record ?? undefined,
    recipients: shares.map((each) => each.recipient),
    amount: msats(reward.amount),
    state: reward.state as RewardView['state'],
    decider: decider ?? undefined,
    rule: reward.rule ?? undefined,
    apiKey: apiKey?.name,
    lines: reward.kind === 'list' ? await listOutcomes(context, id) : undefined,
    fromWallet: reward.source === 'wallet',
    share:
      payment !== null ? viewWalletShare(payment) : share === null ? undefined : viewShare(share, payout ?? undefined),
  }
}
