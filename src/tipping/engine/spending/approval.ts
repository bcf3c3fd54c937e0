import { type Msats, msats } from '../../../lib/money/amount.ts'
import { lastDay } from '../../core/budgets.ts'
import type { Tx } from '../../core/database.ts'
import type { TippingContext } from '../tipping-context.ts'
import type { PoolSpending } from './spending.ts'

const MAX_NAMES = 100

type Asked = Pick<PoolSpending, 'member' | 'pool' | 'amount' | 'shares'>

/**
 * Whether a second moderator must approve a spending: it exceeds the server's limit, together with the unapproved gifts
 * of the last 24 hours by its asker or to one of its recipients. So a sum above the limit cannot be paid in pieces, by
 * nobody and to nobody. Call it again in the transaction that pays.
 */
export async function needsApproval(
  context: Pick<TippingContext, 'clockWatch'>,
  client: Pick<Tx, 'reward' | 'rewardShare'>,
  { member, pool: { guild }, amount, shares }: Asked,
  approvalAbove: Msats | undefined,
): Promise<boolean> {
  if (approvalAbove === undefined) return false
  if (amount > approvalAbove) return true
  const alone = { guild, state: 'paid', decider: null, createdAt: { gt: lastDay(context) } }
  // Of a long list, everybody's of the day are read: a statement has room for so many names only.
  const isLong = shares.length > MAX_NAMES
  const whose = isLong ? {} : { recipient: { in: shares.map((share) => share.recipient) } }
  const [given, got] = await Promise.all([
    client.reward.aggregate({ where: { ...alone, requester: member }, _sum: { amount: true } }),
    client.rewardShare.groupBy({ by: ['recipient'], where: { ...whose, reward: alone }, _sum: { amount: true } }),
  ])
  if (msats(given._sum.amount ?? 0n) + amount > approvalAbove) return true
  const lately = new Map(got.map((sum) => [sum.recipient, sum._sum.amount ?? 0n]))
  return shares.some((share) => (lately.get(share.recipient) ?? 0n) + share.amount > approvalAbove)
}
