import { type APIButtonComponentWithCustomId, ButtonStyle } from 'discord.js'
import type { Button, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { moment } from '../messages/panel.ts'
import { verify } from './verify.ts'

/** Enters the person who presses it into a giveaway's draw. */
export const giveawayEnter = {
  verb: 'giveaway-enter',
  names: 'giveaway',
  answer: 'private',
  async press({ record, member, caller: { accountSince, roles }, origin, tipping, t }: Press) {
    const { already, entrants, endsAt } = await tipping.giveaways.enter({
      giveaway: record,
      member,
      entrant: { accountSince, roles },
      interaction: origin.interaction,
    })
    const facts = { entrants, until: moment(endsAt) }
    return { say: { content: t(already ? 'giveaway.enteredBefore' : 'giveaway.enteredNow', facts) } }
  },
} satisfies Button

/** Claims the prize that was drawn for the person who presses it. */
export const giveawayClaim = {
  verb: 'giveaway-claim',
  names: 'giveaway',
  answer: 'private',
  async press({ record: giveaway, member, origin: { interaction }, tipping, t }: Press) {
    const { already, prize } = await tipping.giveaways.claim({ giveaway, member, interaction })
    return { say: { content: t(already ? 'giveaway.claimedBefore' : 'giveaway.claimedByYou', { prize }) } }
  },
} satisfies Button

/** Verifies the draw, and shows the proof to the person who presses it. */
export const giveawayVerifyPress = {
  verb: 'giveaway-verify',
  names: 'giveaway',
  answer: 'private',
  press: (press: Press) => verify(press, press.record),
} satisfies Button

export function giveawayVerifyButton(giveaway: string, label: string): APIButtonComponentWithCustomId {
  return button(giveawayVerifyPress.verb, giveaway, label, { emoji: '🔒' })
}

export function giveawayClaimButton(giveaway: string, label: string): APIButtonComponentWithCustomId {
  return button(giveawayClaim.verb, giveaway, label, { emoji: '🎁', style: ButtonStyle.Primary })
}

export function giveawayEnterButton(giveaway: string, label: string): APIButtonComponentWithCustomId {
  return button(giveawayEnter.verb, giveaway, label, { emoji: '🎟️', style: ButtonStyle.Primary })
}
