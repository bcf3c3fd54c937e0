import { type APIButtonComponentWithCustomId, ButtonStyle } from 'discord.js'
import type { DropView } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Button, FormButton, FormReply, Opening, Outcome, Press, Submission } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { cut } from '../messages/panel.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { drawDropClaim } from './claim-card.ts'

const MAX_ANSWER_LENGTH = 100
const MAX_HINT_LENGTH = 100

/** Claims a share of a drop, or enters the drop's draw, for the person who presses it. */
export const dropTake = {
  verb: 'drop-take',
  names: 'drop',
  answer: 'private',
  press: (press: Press) => claim(press, undefined),
} satisfies Button

/** Opens the form for the answer to a drop's puzzle, so that nobody else can read the answer. */
export const dropSolve = {
  verb: 'drop-solve',
  names: 'drop',
  async open({ record, tipping, t }: Opening) {
    const { puzzle, state } = await tipping.drops.view(record)
    if (state !== 'open' || puzzle === undefined) throw new CommandRefusal('commandRefusals.drop-over')
    const hint = t(`drop.hint.${puzzle.kind}`, { question: puzzle.question })
    const label = t('drop.answerLabel')
    return {
      verb: dropAnswer.verb,
      record,
      title: t('drop.formTitle'),
      fields: [{ name: 'answer', label, hint: cut(hint, MAX_HINT_LENGTH), longest: MAX_ANSWER_LENGTH }],
    }
  },
} satisfies FormButton

/** Claims a share of a drop with the submitted answer to its puzzle. */
export const dropAnswer = {
  verb: 'drop-answer',
  names: 'drop',
  answer: 'private',
  submit: (submission: Submission) => claim(submission, submission.values.answer ?? ''),
} satisfies FormReply

/** Ends a drop early, for its owner or a moderator. */
export const dropClose = {
  verb: 'drop-close',
  names: 'drop',
  answer: 'private',
  async press({ record, member, caller, origin, tipping, t }: Press) {
    const moderator = await caller.moderates()
    return sayClosed(await tipping.drops.close({ drop: record, member, moderator, origin }), t)
  },
} satisfies Button

/**
 * Informs the person who closed a drop of the sum that was returned. For codes, this sum is known only after each code
 * has been taken back.
 */
export function sayClosed({ codes, returned, payments }: DropView, t: Translator): Outcome {
  if (payments !== undefined) return { say: { content: t('drop.stayedByYou', { amount: returned }) } }
  const text = codes ? t('drop.codesClosedByYou') : t('drop.closedByYou', { amount: returned })
  return { say: { content: text } }
}

export function takeButton(drop: string, label: string): APIButtonComponentWithCustomId {
  return button(dropTake.verb, drop, label, { emoji: '🪂', style: ButtonStyle.Primary })
}

export function enterButton(drop: string, label: string): APIButtonComponentWithCustomId {
  return button(dropTake.verb, drop, label, { emoji: '🎲', style: ButtonStyle.Primary })
}

export function solveButton(drop: string, label: string): APIButtonComponentWithCustomId {
  return button(dropSolve.verb, drop, label, { emoji: '🧩', style: ButtonStyle.Primary })
}

export function closeButton(drop: string, label: string): APIButtonComponentWithCustomId {
  return button(dropClose.verb, drop, label)
}

async function claim({ record, member, caller, origin, tipping, t }: Press, answer: string | undefined) {
  const { accountSince, memberSince, roles } = caller
  const claimant = { id: member, accountSince, memberSince, roles }
  const mine = await tipping.drops.claim({ drop: record, claimant, answer, origin })
  // The card answers the press that created it. A second press shows its state, and that there is no second share.
  const first = (await tipping.cards.get(mine.card))?.origin?.interaction === origin.interaction
  if (first) return { card: mine.card }
  const { message } = drawDropClaim(mine, t)
  const hasShare = mine.chance !== 'entered' && mine.chance !== 'missed'
  return { say: hasShare ? { ...message, content: t('refusals.drop-taken') } : message }
}
