import { type Msats, msats } from '../../../lib/money/amount.ts'
import { lastDay } from '../../core/budgets.ts'
import type { Tx } from '../../core/database.ts'
import type { TippingContext } from '../tipping-context.ts'
import type { PoolSpending } from './spending.ts'

const MAX_NAMES = 100

type Asked = Pick<PoolSpending, 'member' | 'pool' | 'amount' | 'shares'>

/**
 * Whether a second moderator must approve a gift, because it exceeds the server's limit together with the unapproved
 * gifts of the last 24 hours by the same moderator or to one of its recipients. This prevents anybody from splitting a
 * sum above the limit into smaller gifts. Call this function again in the transaction that pays.
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
  // A statement has room for a limited number of names, so a long list reads everybody's gifts of the day.
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
