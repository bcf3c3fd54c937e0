import { ButtonStyle } from 'discord.js'
import type { AskedTip, PoolGiftView, TipCommand } from '../../tipping/tipping.ts'
import type { Asking, Button, Outcome, Press } from '../command.ts'
import { colour, panel } from '../look.ts'
import { button } from '../message.ts'
import type { Words } from '../words.ts'

/** The second word for a large tip. */
export const tipConfirm = {
  verb: 'tip-confirm',
  answer: 'update',
  announces: true,
  async press({ record: asked, member, origin, tipping, words }: Press) {
    await tipping.confirmTip({ asked, member, origin })
    return { say: { embeds: [panel(colour.done, words.say('tipAsked.sent'))] } }
  },
} satisfies Button

/** The same for a large drop. */
export const dropConfirm = {
  verb: 'drop-confirm',
  answer: 'update',
  announces: true,
  async press({ record: asked, member, origin, tipping, words }: Press) {
    await tipping.drops.confirm({ asked, member, origin })
    return { say: { embeds: [panel(colour.done, words.say('tipAsked.sent'))] } }
  },
} satisfies Button

/** The same for a large giveaway. */
export const giveawayConfirm = {
  verb: 'giveaway-confirm',
  answer: 'update',
  announces: true,
  async press({ record: asked, member, origin, tipping, words }: Press) {
    await tipping.giveaways.confirm({ asked, member, origin })
    return { say: { embeds: [panel(colour.done, words.say('tipAsked.sent'))] } }
  },
} satisfies Button

/** The same for something large for a pool. */
export const poolConfirm = {
  verb: 'pool-confirm',
  answer: 'update',
  async press({ record: asked, member, origin, tipping, words }: Press) {
    const { amount, pool } = await tipping.pools.confirm({ asked, member, origin })
    return { say: { embeds: [panel(colour.done, words.say('pool.given', { amount, pool }))] } }
  },
} satisfies Button

/** Nothing has moved, so there is nothing to undo. */
export const tipCancel = {
  verb: 'tip-cancel',
  answer: 'update',
  async press({ words }: Press) {
    return { say: { embeds: [panel(colour.over, words.say('tipAsked.cancelled'))] } }
  },
} satisfies Button

/** Sends a tip; a large one after asking its giver, whom nobody else hears being asked. */
export async function tipOrAsk({ tipping, words }: Asking, command: TipCommand): Promise<Outcome> {
  const given = await tipping.askTip(command)
  return 'asked' in given ? askedOutcome(given, words) : { card: given.card }
}

/** Asks whoever gives so much for a second word, which the button `verb` says. */
export function askedOutcome(
  { asked, total, recipients, most }: AskedTip,
  words: Words,
  verb: string = tipConfirm.verb,
): Outcome {
  return ask(words.say('tipAsked.question', { total, count: recipients, most }), { asked, verb }, words)
}

/** What was given to a pool; or whether it shall be, where it is much. */
export function poolGiftOutcome(given: PoolGiftView | AskedTip, words: Words): Outcome {
  if (!('asked' in given)) {
    return { say: { content: words.say('pool.given', { amount: given.amount, pool: given.pool }) } }
  }
  const { asked, total, most } = given
  return ask(words.say('pool.question', { total, most }), { asked, verb: poolConfirm.verb }, words)
}

function ask(question: string, { asked, verb }: { asked: string; verb: string }, words: Words): Outcome {
  return {
    whisper: {
      embeds: [panel(colour.inFlight, question)],
      buttons: [
        button(verb, asked, words.say('tipAsked.sendButton'), { emoji: '⚡', style: ButtonStyle.Primary }),
        button(tipCancel.verb, asked, words.say('tipAsked.cancelButton')),
      ],
    },
  }
}
