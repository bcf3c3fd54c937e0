import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { ReceiptView } from './tips.ts'

/** Returns a share as its recipient sees it, by the share's id. Throws TippingRefusal `not-there`. */
export async function viewReceipt({ database }: ReadonlyBook, id: string): Promise<ReceiptView> {
  const byId = { where: { id }, include: { tip: true } } as const
  const share = (await database.read.tipShare.findUnique(byId)) ?? (await database.read.walletPayment.findUnique(byId))
  if (share === null) throw new TippingRefusal('not-there', {})
  const { tip } = share
  return {
    from: tip.sender,
    amount: msats(share.amount),
    note: tip.note,
    anonymous: tip.anonymous,
    reward: tip.pool !== null,
    guild: tip.guild ?? undefined,
    channel: tip.channel,
    message: tip.message ?? undefined,
  }
}
