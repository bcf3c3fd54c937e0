import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/**
 * Has the joined tip's card redrawn, in the transaction that joins it. Throws TippingRefusal `tip-joined` if the sender
 * has joined before. The unique key enforces that, too.
 */
export async function countJoined(
  context: TippingContext,
  tx: Tx,
  { tip: joins, card, from: sender }: { readonly tip: string; readonly card: string; readonly from: string },
): Promise<void> {
  if ((await tx.tip.findFirst({ where: { joins, sender } })) !== null) throw new TippingRefusal('tip-joined', {})
  await context.cards.raise(tx, [card])
}
