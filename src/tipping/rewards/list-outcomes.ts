import { msats } from '../../lib/money/amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { viewTip } from '../tips/view-tip.ts'
import type { ListOutcome } from './lists.ts'

/** How each line of a list stands, in the order of its file. Throws TippingRefusal `not-there`. */
export async function listOutcomes(context: TippingContext, id: string): Promise<ListOutcome[]> {
  const reward = await context.database.read.reward.findUnique({
    where: { id, kind: 'list' },
    include: { shares: { orderBy: { line: 'asc' } } },
  })
  if (reward === null) throw new TippingRefusal('not-there', {})
  const paid = reward.record === null ? [] : (await viewTip(context, reward.record)).shares
  const states = new Map(paid.map(({ recipient, state }) => [recipient, state]))
  const unpaid = reward.state === 'denied' ? 'denied' : 'waiting'
  return reward.shares.map(({ line, recipient, amount, reason }) => ({
    ...{ line: line ?? 0, recipient, amount: msats(amount), reason: reason ?? reward.reason },
    state: states.get(recipient) ?? unpaid,
  }))
}
