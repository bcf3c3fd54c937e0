import { type APIButtonComponentWithCustomId, ButtonStyle } from 'discord.js'
import { ceilToSat, MSATS_PER_SAT, msats, sats } from '../../lib/money/amount.ts'
import type { AskView } from '../../tipping/tipping.ts'
import { confirmationOutcome } from '../confirmations/question.ts'
import type { Translator } from '../i18n/translator.ts'
import type {
  Asking,
  Button,
  Form,
  FormButton,
  FormReply,
  Opening,
  Outcome,
  Press,
  Submission,
} from '../interactions/command.ts'
import { labelled, titled } from '../interactions/form-fields.ts'
import { button } from '../messages/message.ts'
import { relative } from '../messages/panel.ts'

/** The amounts on the buttons. A button offers the missing rest of the requested sum instead if the rest is smaller. */
const AMOUNTS = [sats(100), sats(1_000)]

/** Gives the amount on the button, from the balance of the person who presses it. */
export const askGive = {
  verb: 'ask-give',
  names: 'ask',
  answer: 'private',
  press: (press: Press) => {
    const [ask = '', amount = ''] = press.record.split('/')
    return give(press, ask, amount)
  },
} satisfies Button

/** Opens the form that asks for the amount to give. */
export const askOther = {
  verb: 'ask-other',
  names: 'ask',
  async open({ record, t }: Opening): Promise<Form> {
    const amount = labelled(
      'amount',
      t('commands.tip.options.amount.name'),
      t('commands.tip.options.amount.description'),
    )
    return {
      verb: askForm.verb,
      record,
      title: titled(t('ask.otherButton')),
      fields: [{ ...amount, longest: 40 }],
    }
  },
} satisfies FormButton

/** Gives the amount that was typed into the form. */
export const askForm = {
  verb: 'ask-form',
  names: 'ask',
  answer: 'private',
  submit: (submission: Submission) => give(submission, submission.record, submission.values.amount ?? ''),
} satisfies FormReply

/** Ends a request for sats. Only the person who made the request and moderators may end it. */
export const askClose = {
  verb: 'ask-close',
  names: 'ask',
  answer: 'private',
  async press({ record, member, caller, guild, tipping, t }: Press) {
    const moderator = await caller.moderates()
    const { endedAt } = await tipping.asks.close({ ask: record, member, moderator, guild })
    return { say: { content: t('fundraiser.closed', { when: relative(endedAt ?? new Date(0)) }) } }
  },
} satisfies Button

export function askButtons({ id, goal, given }: AskView, t: Translator): APIButtonComponentWithCustomId[] {
  const rest = ceilToSat(msats(goal > given ? goal - given : 0n))
  const amounts = new Set(AMOUNTS.map((amount) => (amount < rest ? amount : rest)).filter((amount) => amount > 0n))
  return [
    ...[...amounts].map((amount) =>
      button(askGive.verb, `${id}/${amount / MSATS_PER_SAT}`, `+${t.amount(amount)}`, {
        emoji: '⚡',
        style: ButtonStyle.Primary,
      }),
    ),
    button(askOther.verb, id, t('ask.otherButton')),
    button(askClose.verb, id, t('fundraiser.closeButton')),
  ]
}

/**
 * Gives an ordinary tip to the person who made the request, or shows an invoice if the balance is too small. The answer
 * is private, because the request's card counts the tip.
 */
async function give(asking: Asking, ask: string, amount: string): Promise<Outcome> {
  const { member: from, memberName: fromName, caller, origin, announced, tipping, t } = asking
  const { accountSince } = caller
  const tip = await tipping.asks.tipFor({ ask, from, fromName, amount, accountSince, origin })
  const given = await tipping.invoicedTips.ask({ ...tip, announced })
  if ('asked' in given) return confirmationOutcome(given, t)
  if ('missing' in given || 'invoice' in given) return { card: given.card, isPrivate: true }
  const { given: raised, goal } = await tipping.asks.view(ask)
  return { say: { content: t('ask.given', { amount: given.total, raised, goal }) } }
}
