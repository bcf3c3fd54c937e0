import { type APIButtonComponentWithCustomId, ButtonStyle } from 'discord.js'
import { CLAIM_VERB } from '../interactions/claim-waiting.ts'
import type { Button, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'

/**
 * Claims everything that waits for the person who presses it. The button is below a tip or below the person's own
 * balance.
 */
export const claim = {
  verb: CLAIM_VERB,
  names: 'own',
  answer: 'private',
  async press({ member, origin, tipping, record: under }: Press) {
    const { card } = await tipping.claims.take({ member, under, origin })
    return { card }
  },
} satisfies Button

/** Builds the claim button. `record` is a tip, the command that gave the tip, or the member. */
export function claimButton(record: string, label: string): APIButtonComponentWithCustomId {
  return button(claim.verb, record, label, { emoji: '🎁', style: ButtonStyle.Primary })
}
