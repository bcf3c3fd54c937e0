import { ButtonStyle } from 'discord.js'
import { floorToSat, msats } from '../../lib/money/amount.ts'
import type { PendingTip, PoolGiftView } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Outcome } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { colour, mention, panel, small } from '../messages/panel.ts'
import { cancelButton, poolConfirm, tipConfirm } from './buttons.ts'

/** Asks the giver to confirm a large gift with the button `verb`. */
export function confirmationOutcome(pending: PendingTip, t: Translator, verb: string = tipConfirm.verb): Outcome {
  const { asked, total, recipients, to } = pending
  const people =
    to.length > 0 && to.length <= MAX_NAMED ? t.list(to.map(mention)) : t('tip.people', { count: recipients })
  const each = recipients > 1 ? t('confirmation.each', { amount: msats(total / BigInt(recipients)) }) : ''
  return ask([t('confirmation.question', { total, people }), each], pending, { asked, verb }, t)
}

/** The most recipients who are named. If there are more, only their number is shown. */
const MAX_NAMED = 12

/** Reports a gift to a pool, or, if the gift is large, asks for a confirmation first. */
export function poolGiftOutcome(given: PoolGiftView | PendingTip, t: Translator): Outcome {
  if (!('asked' in given)) {
    return { say: { content: t('pool.given', { amount: given.amount, pool: given.pool }) } }
  }
  const { asked, total } = given
  return ask([t('pool.question', { total })], given, { asked, verb: poolConfirm.verb }, t)
}

/** Asks the question, and shows its reason and the balance that would remain. */
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
    ephemeral: {
      embeds: [panel(colour.inFlight, lines)],
      buttons: [
        button(verb, asked, t('confirmation.sendButton'), { emoji: '⚡', style: ButtonStyle.Primary }),
        cancelButton(asked, t),
      ],
    },
  }
}
