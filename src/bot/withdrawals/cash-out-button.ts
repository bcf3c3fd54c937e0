import type { APIButtonComponentWithCustomId } from 'discord.js'
import type { Button, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { drawAsked } from './card.ts'

/**
 * Asks people without an account anywhere whether to turn their whole balance into a code that any Lightning wallet can
 * scan.
 */
export const cashOut = {
  verb: 'cash-out',
  names: 'own',
  answer: 'private',
  async press({ member, origin, tipping, t }: Press) {
    return { say: drawAsked(await tipping.withdrawals.ask({ member, amount: 'all', origin }), tipping, t) }
  },
} satisfies Button

/** Builds the button that cashes out. `record`: the record to which the button belongs. */
export function cashOutButton(record: string, label: string): APIButtonComponentWithCustomId {
  return button(cashOut.verb, record, label, { emoji: '📱' })
}
