import { MSATS_PER_SAT } from '../../lib/money/amount.ts'
import { emojiKey } from '../core/emoji.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { requireConfirmation } from '../engine/gifts/confirmation.ts'
import type { PendingTip } from '../engine/gifts/gifts.ts'
import type { Command } from '../engine/once-only/once-only.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { messageTipsCard } from '../tips/message-tips-card.ts'
import { performTip } from '../tips/send-tip.ts'
import { TIP_GIFTS, type TipGift } from '../tips/tip-gifts.ts'
import { type MessageTipCommand, type MessageTipsView, type ReactionCommand, ZAP } from './message-tips.ts'
import { viewMessageTips } from './view-message-tips.ts'

/** Tips a message's author. The tip is counted on the message's only card. */
export async function tipMessage(context: TippingContext, command: MessageTipCommand): Promise<MessageTipsView> {
  const { message } = command
  await context.once.perform(onceOfMessageTip(command), (digest) =>
    performTip(context, { ...giftOf(command), digest, tippedMessage: { message, card: messageTipsCard(message) } }),
  )
  return await viewMessageTips(context, message)
}

/** Returns the parts of a command that a repetition must match. */
export function onceOfMessageTip({ from, message, author, amount, note = '', origin }: MessageTipCommand): Command {
  return { interaction: origin.interaction, verb: 'tip-message', content: [from, message, author.id, amount, note] }
}

/** Returns the gift that a command for a message gives. */
export function giftOf({ message, author, ...tip }: MessageTipCommand): TipGift {
  return { kind: 'tally', message, command: { ...tip, to: [author] } }
}

/**
 * Does the same as `tipMessage`, but above the server's confirmation limit moves nothing, and returns what the giver
 * must confirm.
 */
export async function askToTipMessage(
  context: TippingContext,
  command: MessageTipCommand,
): Promise<MessageTipsView | PendingTip> {
  const asked = await requireConfirmation(context, TIP_GIFTS, command.origin, () => giftOf(command))
  return asked ?? (await tipMessage(context, command))
}

/**
 * Tips a message's author with a reaction's amount; undefined if the giver has not permitted this, or the emoji has no
 * amount.
 */
export async function tipByReaction(
  context: TippingContext,
  command: ReactionCommand,
): Promise<MessageTipsView | undefined> {
  if (await context.once.has(command.origin.interaction)) return await viewMessageTips(context, command.message)
  const tip = await tipOfReaction(context, command)
  return tip && (await tipMessage(context, tip))
}

/**
 * Returns the tip for a reaction, if the giver has switched such tips on. Throws TippingRefusal
 * `emoji-needs-confirmation` if the server's amount is above the server's confirmation limit, because a reaction cannot
 * be confirmed.
 */
export async function tipOfReaction(
  context: TippingContext,
  { emoji = ZAP, ...command }: ReactionCommand,
): Promise<MessageTipCommand | undefined> {
  const { reactionTip, emojiCeiling } = await context.preferences.of(command.from)
  if (emoji === ZAP && reactionTip !== undefined) return { ...command, amount: String(reactionTip / MSATS_PER_SAT) }
  if (emojiCeiling === undefined) return undefined
  const server = await context.preferences.inForce(command.origin.guild)
  const amount = server.emojiTips.find((each) => emojiKey(each.emoji) === emoji)?.amount
  if (amount === undefined) return undefined
  const { confirmAbove: most = context.settings.confirmAbove } = server
  if (amount > most) throw new TippingRefusal('emoji-needs-confirmation', { amount, most })
  return { ...command, amount: `${amount} msats`, byEmoji: true }
}
