import type { APIButtonComponentWithCustomId } from 'discord.js'
import type { Button, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'

/** Sends a message with only a deposit's LNURL code, which remains valid after the deposit's invoice expires. */
export const depositCode = {
  verb: 'deposit-code',
  names: 'own',
  answer: 'private',
  async press({ record, member, tipping }: Press) {
    const card = await tipping.cards.get(record)
    if (card?.kind !== 'deposit') throw new CommandRefusal('commandRefusals.stale-button')
    const { state, request, member: owner } = await tipping.deposits.view(card.record)
    if (state !== 'open' || owner !== member) throw new CommandRefusal('commandRefusals.invoice-over')
    return { say: { content: request } }
  },
} satisfies Button

/** Builds the button that sends a deposit's code. `card` is the deposit's card. */
export function depositCodeButton(card: string, label: string): APIButtonComponentWithCustomId {
  return button(depositCode.verb, card, label, { emoji: '📋' })
}
