import { TippingRefusal } from '../core/tipping-refusal.ts'
import { pendingGift, requireConfirmation } from '../engine/gifts/confirmation.ts'
import type { Confirmation, PendingTip, Recipient, TipCommand } from '../engine/gifts/gifts.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { messageTipsCard } from './message-tips-card.ts'
import { performTip, sendTip } from './send-tip.ts'
import { TIP_GIFTS, type TipGift } from './tip-gifts.ts'
import type { TipView } from './tips.ts'
import { viewTip } from './view-tip.ts'

/**
 * Sends a tip, but above the server's confirmation limit moves nothing, and stores the tip until its giver confirms it.
 */
export async function askTip(context: TippingContext, command: TipCommand): Promise<TipView | PendingTip> {
  const asked = await requireConfirmation(context, TIP_GIFTS, command.origin, () => ({ kind: 'tip', command }))
  return asked ?? (await sendTip(context, command))
}

/**
 * Sends a confirmed gift only once, no matter how often it is confirmed. Throws TippingRefusal `not-there`,
 * `not-yours`, `nobody-active` or `no-recipients` if all recipients have left, or a tip's own refusals.
 */
export async function confirmTip(context: TippingContext, word: Confirmation): Promise<TipView> {
  const { asked, isStillMeant } = word
  const gift = await pendingGift(context, TIP_GIFTS, word)
  const { kind, command } = gift
  const { interaction } = command.origin
  const id = await context.once.perform({ interaction, verb: kind, content: [asked] }, async (digest) =>
    performTip(context, {
      ...{ kind, digest },
      command: isStillMeant === undefined ? command : await withoutThoseGone(gift, isStillMeant),
      ...(gift.kind === 'tally'
        ? { tippedMessage: { message: gift.message, card: messageTipsCard(gift.message) } }
        : {}),
    }),
  )
  return await viewTip(context, id)
}

/**
 * Returns the command without recipients who are gone. Rain, or a tip to a role, was meant for people who were present
 * when the giver was asked to confirm. The shares of those who have left, or lost the role, stay with the giver.
 * Recipients who were named individually remain. Throws TippingRefusal `nobody-active` or `no-recipients` if nobody is
 * left.
 */
async function withoutThoseGone(
  { kind, command }: TipGift,
  isStillMeant: (recipient: Recipient) => Promise<boolean>,
): Promise<TipCommand> {
  const isMeant = async (each: Recipient) => (kind !== 'rain' && each.role === undefined) || (await isStillMeant(each))
  const meant = await Promise.all(command.to.map(isMeant))
  const to = command.to.filter((_, i) => meant[i])
  if (to.length === 0) throw new TippingRefusal(kind === 'rain' ? 'nobody-active' : 'no-recipients', {})
  return { ...command, to }
}
