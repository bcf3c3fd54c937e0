import { msats } from '../../lib/money/amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { ReceiptView } from './tips.ts'

/** One share as its recipient is told of it, by the share's id. Throws TippingRefusal `not-there`. */
export async function viewReceipt({ database }: TippingContext, id: string): Promise<ReceiptView> {
  const share = await database.read.tipShare.findUnique({ where: { id }, include: { tip: true } })
  if (share === null) throw new TippingRefusal('not-there', {})
  const { tip } = share
  return {
    from: tip.sender,
    amount: msats(share.amount),
    note: tip.note,
    reward: tip.pool !== null,
    guild: tip.guild ?? undefined,
    channel: tip.channel,
    message: tip.message ?? undefined,
  }
}
