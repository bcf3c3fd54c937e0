import { ButtonStyle } from 'discord.js'
import { floorToSat, msats } from '../../lib/money/amount.ts'
import type { PendingTip, PoolGiftView, Recipient, TipCommand } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Asking, Button, Outcome, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { colour, mention, panel, small } from '../messages/panel.ts'

/** Confirms a large tip. */
export const tipConfirm = {
  verb: 'tip-confirm',
  names: 'pending-gift',
  answer: 'update',
  announces: true,
  guests: true,
  async press({ record: asked, member, guild, members, announced: origin, tipping, t }: Press) {
    const isStillMeant = async ({ id, role }: Recipient) => {
      const known = guild === null ? undefined : await members.known(guild, id)
      return known !== undefined && (role === undefined || role === guild || known.roles.includes(role))
    }
    await tipping.tips.confirm({ asked, member, origin, isStillMeant })
    return { say: { embeds: [panel(colour.done, t('confirmation.sent'))] } }
  },
} satisfies Button

/** The same for a large drop. */
export const dropConfirm = {
  verb: 'drop-confirm',
  names: 'pending-gift',
  answer: 'update',
  announces: true,
  async press({ record: asked, member, announced: origin, tipping, t }: Press) {
    await tipping.drops.confirm({ asked, member, origin })
    return { say: { embeds: [panel(colour.done, t('confirmation.sent'))] } }
  },
} satisfies Button

/** The same for a large giveaway. */
export const giveawayConfirm = {
  verb: 'giveaway-confirm',
  names: 'pending-gift',
  answer: 'update',
  announces: true,
  async press({ record: asked, member, announced: origin, tipping, t }: Press) {
    await tipping.giveaways.confirm({ asked, member, origin })
    return { say: { embeds: [panel(colour.done, t('confirmation.sent'))] } }
  },
} satisfies Button

/** The same for something large for a pool. */
export const poolConfirm = {
  verb: 'pool-confirm',
  names: 'pending-gift',
  answer: 'update',
  async press({ record: asked, member, announced: origin, tipping, t }: Press) {
    const { amount, pool } = await tipping.pools.confirm({ asked, member, origin })
    return { say: { embeds: [panel(colour.done, t('pool.given', { amount, pool }))] } }
  },
} satisfies Button

/** Nothing has moved, so there is nothing to undo. */
export const tipCancel = {
  verb: 'tip-cancel',
  names: 'pending-gift',
  answer: 'update',
  async press({ t }: Press) {
    return { say: { embeds: [panel(colour.over, t('confirmation.cancelled'))] } }
  },
} satisfies Button

/**
 * Sends a tip; a large one after asking its giver, whom nobody else hears being asked. A giver whose balance is too small, or who has no
 * wallet where there are no balances, gets an invoice, in private too.
 */
export async function tipOrAsk({ tipping, t, announced }: Asking, command: TipCommand): Promise<Outcome> {
  const given = await tipping.invoicedTips.ask({ ...command, announced })
  if ('asked' in given) return confirmationOutcome(given, t)
  if ('missing' in given || 'invoice' in given) return { card: given.card, isPrivate: true }
  if (command.anonymous) return { say: { embeds: [panel(colour.done, t('tip.anonymousSent'))] } }
  return { card: given.card }
}

/** Asks the person who gives so much for a confirmation, which the button `verb` says. */
export function confirmationOutcome(pending: PendingTip, t: Translator, verb: string = tipConfirm.verb): Outcome {
  const { asked, total, recipients, to } = pending
  const people =
    to.length > 0 && to.length <= MAX_NAMED ? t.list(to.map(mention)) : t('tip.people', { count: recipients })
  const each = recipients > 1 ? t('confirmation.each', { amount: msats(total / BigInt(recipients)) }) : ''
  return ask([t('confirmation.question', { total, people }), each], pending, { asked, verb }, t)
}

/** More people than this are counted, not named. */
const MAX_NAMED = 12

/** Confirms a gift to a pool; asks first where it is large. */
export function poolGiftOutcome(given: PoolGiftView | PendingTip, t: Translator): Outcome {
  if (!('asked' in given)) {
    return { say: { content: t('pool.given', { amount: given.amount, pool: given.pool }) } }
  }
  const { asked, total } = given
  return ask([t('pool.question', { total })], given, { asked, verb: poolConfirm.verb }, t)
}

/** Asks the question, with the reason and the balance that remains. */
function ask(
  question: readonly string[],
  { left, most, total, source }: PendingTip,
  { asked, verb }: { asked: string; verb: string },
  t: Translator,
): Outcome {
  const why = total > most ? t('confirmation.why', { most }) : t('confirmation.all')
  const from = source === 'wallet' ? t('confirmation.fromWallet') : t('confirmation.left', { left: floorToSat(left) })
  const lines = [...question, from, small(why)]
  return {
    whisper: {
      embeds: [panel(colour.inFlight, lines)],
      buttons: [
        button(verb, asked, t('confirmation.sendButton'), { emoji: '⚡', style: ButtonStyle.Primary }),
        button(tipCancel.verb, asked, t('confirmation.cancelButton')),
      ],
    },
  }
}
