import { type APIButtonComponentWithCustomId, ButtonStyle } from 'discord.js'
import { CLAIM_VERB } from '../interactions/claim-waiting.ts'
import type { Button, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'

/** Claims everything that waits for the person who presses it, under a tip or under their own balance. */
export const claim = {
  verb: CLAIM_VERB,
  names: 'own',
  answer: 'private',
  async press({ member, origin, tipping, record: under }: Press) {
    const { card } = await tipping.claims.take({ member, under, origin })
    return { card }
  },
} satisfies Button

/** `record`: a tip, the command that gave it, or the member. */
export function claimButton(record: string, label: string): APIButtonComponentWithCustomId {
  return button(claim.verb, record, label, { emoji: '🎁', style: ButtonStyle.Primary })
}
