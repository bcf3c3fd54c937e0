import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/** The message that a tip is for, and the card that counts what it gets. */
export interface TippedMessageRef {
  readonly message: string
  readonly card: string
}

/** Draws a message's card again, or for the first time, in the transaction that tips it. */
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
  // A message of its own, not the answer to the person who was first: so there is no answer to fill in.
  const audience = { channel }
  const first = { ...origin, reply: '' }
  await tx.card.create({
    data: context.cards.values({ id: card, kind: 'tally', record: message, audience, origin: first }),
  })
}
