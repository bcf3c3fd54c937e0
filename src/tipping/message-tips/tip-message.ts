import { MSATS_PER_SAT } from '../../lib/money/amount.ts'
import { requireConfirmation } from '../engine/gifts/confirmation.ts'
import type { PendingTip } from '../engine/gifts/gifts.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { messageTipsCard } from '../tips/message-tips-card.ts'
import { performTip } from '../tips/send-tip.ts'
import { TIP_GIFTS } from '../tips/tip-gifts.ts'
import type { MessageTipCommand, MessageTipsView } from './message-tips.ts'
import { viewMessageTips } from './view-message-tips.ts'

/** Tips the person who wrote a message; the message's one card counts it. */
export async function tipMessage(context: TippingContext, command: MessageTipCommand): Promise<MessageTipsView> {
  const { message, author, origin, ...tip } = command
  const content = [tip.from, message, author.id, tip.amount, tip.note ?? '']
  await context.once.perform({ interaction: origin.interaction, verb: 'tip-message', content }, (digest) =>
    performTip(context, {
      kind: 'tally',
      digest,
      command: { ...tip, to: [author], origin },
      tippedMessage: { message, card: messageTipsCard(message) },
    }),
  )
  return await viewMessageTips(context, message)
}

/** The same. Above the server's confirmation limit it moves nothing, and returns what its giver must confirm. */
export async function askToTipMessage(
  context: TippingContext,
  command: MessageTipCommand,
): Promise<MessageTipsView | PendingTip> {
  const { message, author, ...tip } = command
  const gift = { kind: 'tally', message, command: { ...tip, to: [author] } } as const
  const asked = await requireConfirmation(context, TIP_GIFTS, command.origin, () => gift)
  return asked ?? (await tipMessage(context, command))
}

/** What a ⚡ reaction gives: nothing, unless its owner has said how much. */
export async function tipByReaction(
  context: TippingContext,
  command: Omit<MessageTipCommand, 'amount' | 'note'>,
): Promise<MessageTipsView | undefined> {
  const { reactionTip } = await context.preferences.of(command.from)
  if (reactionTip === undefined) return undefined
  return await tipMessage(context, { ...command, amount: String(reactionTip / MSATS_PER_SAT) })
}
