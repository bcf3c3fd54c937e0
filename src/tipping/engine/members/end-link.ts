import { now } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import type { TippingContext } from '../tipping-context.ts'

/**
 * Ends a link that its member did not end, and tells the member privately. Sums that were reserved but not sent stay in
 * the member's balance here.
 */
export async function endLink(
  context: TippingContext,
  tx: Tx,
  { id, member }: { id: string; member: string },
): Promise<void> {
  await tx.link.update({ where: { id }, data: { endedAt: now(context) } })
  const card = { id: context.entropy.uuid(), kind: 'link-ended', record: id, audience: { member } } as const
  await tx.card.create({ data: context.cards.values(card) })
}
