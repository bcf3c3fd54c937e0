import { ButtonStyle } from 'discord.js'
import type { PendingTip, PoolGiftView, TipCommand } from '../../tipping/tipping.ts'
import type { Asking, Button, Outcome, Press } from '../discord/command.ts'
import { button } from '../discord/message.ts'
import { colour, panel } from '../discord/panel.ts'
import type { Translator } from '../i18n/translator.ts'

/** Confirms a large tip. */
export const tipConfirm = {
  verb: 'tip-confirm',
  answer: 'update',
  announces: true,
  async press({ record: asked, member, origin, tipping, t }: Press) {
    await tipping.confirmTip({ asked, member, origin })
    return { say: { embeds: [panel(colour.done, t('confirmation.sent'))] } }
  },
} satisfies Button

/** The same for a large drop. */
export const dropConfirm = {
  verb: 'drop-confirm',
  answer: 'update',
  announces: true,
  async press({ record: asked, member, origin, tipping, t }: Press) {
    await tipping.drops.confirm({ asked, member, origin })
    return { say: { embeds: [panel(colour.done, t('confirmation.sent'))] } }
  },
} satisfies Button

/** The same for a large giveaway. */
export const giveawayConfirm = {
  verb: 'giveaway-confirm',
  answer: 'update',
  announces: true,
  async press({ record: asked, member, origin, tipping, t }: Press) {
    await tipping.giveaways.confirm({ asked, member, origin })
    return { say: { embeds: [panel(colour.done, t('confirmation.sent'))] } }
  },
} satisfies Button

/** The same for something large for a pool. */
export const poolConfirm = {
  verb: 'pool-confirm',
  answer: 'update',
  async press({ record: asked, member, origin, tipping, t }: Press) {
    const { amount, pool } = await tipping.pools.confirm({ asked, member, origin })
    return { say: { embeds: [panel(colour.done, t('pool.given', { amount, pool }))] } }
  },
} satisfies Button

/** Nothing has moved, so there is nothing to undo. */
export const tipCancel = {
  verb: 'tip-cancel',
  answer: 'update',
  async press({ t }: Press) {
    return { say: { embeds: [panel(colour.over, t('confirmation.cancelled'))] } }
  },
} satisfies Button

/** Sends a tip; a large one after asking its giver, whom nobody else hears being asked. */
export async function tipOrAsk({ tipping, t }: Asking, command: TipCommand): Promise<Outcome> {
  const given = await tipping.askTip(command)
  return 'asked' in given ? confirmationOutcome(given, t) : { card: given.card }
}

/** Asks whoever gives so much for a confirmation, which the button `verb` says. */
export function confirmationOutcome(
  { asked, total, recipients, most }: PendingTip,
  t: Translator,
  verb: string = tipConfirm.verb,
): Outcome {
  return ask(t('confirmation.question', { total, count: recipients, most }), { asked, verb }, t)
}

/** What was given to a pool; or whether it shall be, where it is much. */
export function poolGiftOutcome(given: PoolGiftView | PendingTip, t: Translator): Outcome {
  if (!('asked' in given)) {
    return { say: { content: t('pool.given', { amount: given.amount, pool: given.pool }) } }
  }
  const { asked, total, most } = given
  return ask(t('pool.question', { total, most }), { asked, verb: poolConfirm.verb }, t)
}

function ask(question: string, { asked, verb }: { asked: string; verb: string }, t: Translator): Outcome {
  return {
    whisper: {
      embeds: [panel(colour.inFlight, question)],
      buttons: [
        button(verb, asked, t('confirmation.sendButton'), { emoji: '⚡', style: ButtonStyle.Primary }),
        button(tipCancel.verb, asked, t('confirmation.cancelButton')),
      ],
    },
  }
}
