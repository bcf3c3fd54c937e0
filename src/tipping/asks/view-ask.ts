import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { AskState, AskView } from './asks.ts'

/** Returns an ask's present view. Throws TippingRefusal `not-there`. */
export async function viewAsk({ database: { read } }: ReadonlyBook, id: string): Promise<AskView> {
  const ask = await read.ask.findUnique({ where: { id } })
  if (ask === null) throw new TippingRefusal('not-there', {})
  const { card, member, guild, goal, reason, state, endsAt, endedAt, closedBy } = ask
  const { _sum: sum, _count: gifts } = await read.askGift.aggregate({
    where: { askId: id },
    _sum: { amount: true },
    _count: true,
  })
  return {
    ...{ id, card, member, guild, reason, gifts, endsAt },
    goal: msats(goal),
    given: msats(sum.amount ?? 0n),
    state: state as AskState,
    endedAt: endedAt ?? undefined,
    closedBy: closedBy ?? undefined,
  }
}
