import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/**
 * Has a joined tip's card redrawn, in the transaction in which the sender joins the tip. Throws TippingRefusal
 * `tip-joined` if the sender has already joined the tip, which a unique key also prevents.
 */
export async function countJoined(
  context: TippingContext,
  tx: Tx,
  { tip: joins, card, from: sender }: { readonly tip: string; readonly card: string; readonly from: string },
): Promise<void> {
  if ((await tx.tip.findFirst({ where: { joins, sender } })) !== null) throw new TippingRefusal('tip-joined', {})
  await context.cards.raise(tx, [card])
}
