import type { APIButtonComponentWithCustomId } from 'discord.js'
import type { Button, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'

/** The invoice that a giver may pay by hand, as a message of nothing else, so that a phone can copy it. */
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

/** `card`: the one that shows the invoice. */
export function byHandCodeButton(card: string, label: string): APIButtonComponentWithCustomId {
  return button(byHandCode.verb, card, label, { emoji: '📋' })
}
