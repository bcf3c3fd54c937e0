import { ButtonStyle } from 'discord.js'
import { floorToSat, msats } from '../../lib/money/amount.ts'
import type { GiveawayView } from '../../tipping/tipping.ts'
import { cancelButton } from '../confirmations/buttons.ts'
import type { Asking, Button, Press } from '../interactions/command.ts'
import { button, type Message } from '../messages/message.ts'
import { colour, panel } from '../messages/panel.ts'

/**
 * Pays one more prize. The button's record contains the prize's place in the draw's order, so each place is paid only
 * once, however often somebody asks and presses.
 */
export const giveawayRerollConfirm = {
  verb: 'giveaway-reroll',
  names: 'giveaway',
  answer: 'update',
  announces: true,
  async press({ record, member, caller, guild, origin, tipping, t }: Press) {
    const [giveaway = ''] = record.split('/')
    await tipping.giveaways.reroll({
      ...{ giveaway, member, moderator: await caller.moderates(), guild },
      accountSince: caller.accountSince,
      // The announcement does not go to the private message with the question.
      origin: { ...origin, interaction: `reroll ${record}`, reply: '' },
    })
    return { say: { embeds: [panel(colour.done, t('confirmation.sent'))] } }
  },
} satisfies Button

/** Asks for a confirmation before a reroll, and shows its cost. */
export async function rerollQuestion(
  { member, tipping, t }: Asking,
  { id, prize, won }: GiveawayView,
): Promise<Message> {
  const balance = await tipping.balances.available(member)
  const left = floorToSat(msats(balance > prize ? balance - prize : 0n))
  const lines = [t('giveaway.rerollQuestion', { prize }), t('confirmation.left', { left })]
  return {
    embeds: [panel(colour.inFlight, lines)],
    buttons: [
      button(giveawayRerollConfirm.verb, `${id}/${won.length}`, t('giveaway.rerollButton'), {
        emoji: '🎲',
        style: ButtonStyle.Primary,
      }),
      cancelButton(id, t),
    ],
  }
}
