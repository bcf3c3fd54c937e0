import { ButtonStyle } from 'discord.js'
import type { GiveawayView } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Asking, Button, Call, Command, Options, Press } from '../interactions/command.ts'
import { button, type Message } from '../messages/message.ts'
import { colour, panel } from '../messages/panel.ts'
import { suggestMine } from './suggestions.ts'

const options = {
  giveaway: { kind: 'text', required: true, suggest: suggestMine('open') },
} as const satisfies Options

/**
 * Cancels a giveaway, or, if anybody has entered, asks for a confirmation first, because the entrants lose their
 * chances.
 */
export const giveawayCancel = {
  name: 'giveaway cancel',
  answer: 'private',
  where: 'server',
  options,
  async run(call: Call<typeof options>) {
    const { member, caller, guild, tipping, t } = call
    const { giveaway: id } = call.options
    const { giveaway } = await tipping.giveaways.entrants({ giveaway: id, guild, page: 0 })
    // Others are refused at once.
    const mayCancel = giveaway.starter === member || (await caller.moderates())
    const isAsked = mayCancel && giveaway.state === 'open' && giveaway.entrants > 0
    return isAsked ? { say: question(giveaway, t) } : await cancel(call, id)
  },
} satisfies Command<typeof options>

/** Cancels a giveaway after the question. A second press changes nothing. */
export const giveawayCancelConfirm = {
  verb: 'giveaway-cancel',
  names: 'giveaway',
  answer: 'update',
  press: (press: Press) => cancel(press, press.record),
} satisfies Button

/** Lets the giveaway continue. */
export const giveawayKeep = {
  verb: 'giveaway-keep',
  names: 'giveaway',
  answer: 'update',
  async press({ t }: Press) {
    return { say: { embeds: [panel(colour.over, t('giveaway.keptByYou'))] } }
  },
} satisfies Button

async function cancel({ member, caller, guild, tipping, t }: Asking, giveaway: string) {
  const moderator = await caller.moderates()
  const { returned } = await tipping.giveaways.cancel({ giveaway, member, moderator, guild })
  return { say: { embeds: [panel(colour.over, t('giveaway.cancelledByYou', { amount: returned }))] } }
}

function question({ id, entrants }: GiveawayView, t: Translator): Message {
  return {
    embeds: [panel(colour.inFlight, t('giveaway.cancelQuestion', { entrants }))],
    buttons: [
      button(giveawayCancelConfirm.verb, id, t('giveaway.cancelButton'), { style: ButtonStyle.Primary }),
      button(giveawayKeep.verb, id, t('giveaway.keepButton')),
    ],
  }
}
