import type { APIButtonComponentWithCustomId } from 'discord.js'
import type { Msats } from '../../lib/money/amount.ts'
import { confirmationOutcome } from '../confirmations/question.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Button, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'

/**
 * Adds the same amount to a tip, from the person who presses the button. The button refers to the tip by the key of its
 * command, because the card exists before the tip.
 */
export const tipJoin = {
  verb: 'tip-join',
  names: 'nothing',
  answer: 'private',
  async press({ record: key, member: from, memberName: fromName, caller, origin, tipping, t }: Press) {
    // The message is private; a public card already counts it.
    const joined = await tipping.tips.join({ key, from, fromName, accountSince: caller.accountSince, origin })
    if ('asked' in joined) return confirmationOutcome(joined, t)
    const { total: amount, join } = joined
    return { say: { content: t('tip.joinedByYou', { amount, total: join?.total ?? amount }) } }
  },
} satisfies Button

export function joinButton(key: string, amount: Msats, t: Translator): APIButtonComponentWithCustomId {
  return button(tipJoin.verb, key, `+${t.amount(amount)}`, { emoji: '🙌' })
}

/** Sends a message with only the invoice that a giver can pay by hand, so that a phone can copy it. */
export const byHandCode = {
  verb: 'by-hand-code',
  names: 'own',
  answer: 'private',
  async press({ record, member, tipping }: Press) {
    const card = await tipping.cards.get(record)
    if (card?.kind !== 'wallet-invoice') throw new CommandRefusal('commandRefusals.stale-button')
    const { from, state, invoice } = await tipping.ownWallets.byHand(card.record)
    if (state !== 'open' || from !== member) throw new CommandRefusal('commandRefusals.invoice-over')
    return { say: { content: invoice } }
  },
} satisfies Button

/** Builds the button that sends only the invoice. `card`: the card that shows the invoice. */
export function byHandCodeButton(card: string, label: string): APIButtonComponentWithCustomId {
  return button(byHandCode.verb, card, label, { emoji: '📋' })
}
