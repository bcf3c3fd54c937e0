import type { Msats } from '../../lib/money/amount.ts'
import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/** The shortest pause between a member's gifts to an ask. A second press within this time is refused as a mistake. */
const PAUSE_MS = 5_000

/**
 * Counts a tip towards an ask's goal, in the transaction that gives the tip, and ends the ask when the goal is reached.
 * Throws TippingRefusal `ask-over` or `cooling-down`, so that nothing is given.
 */
export async function countAsked(
  context: TippingContext,
  tx: Tx,
  gift: {
    readonly ask: string
    readonly card: string
    readonly tip: string
    readonly from: string
    readonly amount: Msats
  },
): Promise<void> {
  const { ask: askId, card, tip: id, from: member, amount } = gift
  const at = now(context)
  const ask = await tx.ask.findUnique({ where: { id: askId } })
  if (ask?.state !== 'open' || ask.endsAt <= at) throw new TippingRefusal('ask-over', {})
  const before = await tx.askGift.findFirst({
    where: { askId, member, createdAt: { gt: new Date(at.getTime() - PAUSE_MS), lte: at } },
    orderBy: { createdAt: 'desc' },
  })
  if (before !== null)
    throw new TippingRefusal('cooling-down', { until: new Date(before.createdAt.getTime() + PAUSE_MS) })
  // Written here, not with the rows, so that the same transaction's next gift sees it.
  await tx.askGift.create({ data: { id, askId, member, amount, createdAt: at } })
  const { _sum: given } = await tx.askGift.aggregate({ where: { askId }, _sum: { amount: true } })
  if ((given.amount ?? 0n) >= ask.goal) {
    await tx.ask.update({ where: { id: askId, state: 'open' }, data: { state: 'reached', endedAt: at } })
    await tx.pollJob.updateMany({ where: { id: askId }, data: { nextAt: null } })
  }
  await context.cards.raise(tx, [card])
}
