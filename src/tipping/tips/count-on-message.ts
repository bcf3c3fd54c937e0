import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/** A tipped message, and the card that counts the message's tips. */
export interface TippedMessageRef {
  readonly message: string
  readonly card: string
}

/** Has a message's card drawn or redrawn, in the transaction that tips the message. */
export async function countTip(
  context: TippingContext,
  tx: Tx,
  { message, card }: TippedMessageRef,
  { to: [author], origin }: TipCommand,
): Promise<void> {
  const known = await tx.tippedMessage.findFirst({ where: { message } })
  if (known !== null) return await context.cards.raise(tx, [card])
  const { guild, channel } = origin
  const createdAt = now(context)
  await tx.tippedMessage.create({
    data: { message, channel, guild: guild ?? '', author: author?.id ?? '', card, createdAt },
  })
  // The card is a separate message, not the first tipper's answer, so there is no answer to edit.
  const audience = { channel }
  const first = { ...origin, reply: '' }
  await tx.card.create({
    data: context.cards.values({ id: card, kind: 'tally', record: message, audience, origin: first }),
  })
}
