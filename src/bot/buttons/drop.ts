import { type APIButtonComponentWithCustomId, ButtonStyle } from 'discord.js'
import type { Asking, Button, FormButton, FormReply, Opening, Press, Submission } from '../command.ts'
import { Declined } from '../declined.ts'
import { button } from '../message.ts'

const LONGEST_ANSWER = 100
const LONGEST_HINT = 100

/** Takes a share of a drop, or enters its draw. */
export const dropTake = {
  verb: 'drop-take',
  answer: 'private',
  async press(press: Press) {
    const { card } = await press.tipping.drops.claim({
      drop: press.record,
      claimant: claimantOf(press),
      origin: press.origin,
    })
    return { card }
  },
} satisfies Button

/** Asks for the answer to a drop's puzzle, where nobody else can read it. */
export const dropSolve = {
  verb: 'drop-solve',
  async open({ record, tipping, words }: Opening) {
    const { puzzle, state } = await tipping.drops.view(record)
    if (state !== 'open' || puzzle === undefined) throw new Declined('declined.drop-over')
    const hint = words.say(`drop.hint.${puzzle.kind}`, { question: puzzle.question })
    const label = words.say('drop.answerLabel')
    return {
      verb: dropAnswer.verb,
      record,
      title: words.say('drop.formTitle'),
      fields: [{ name: 'answer', label, hint: hint.slice(0, LONGEST_HINT), longest: LONGEST_ANSWER }],
    }
  },
} satisfies FormButton

/** The answer to a drop's puzzle. */
export const dropAnswer = {
  verb: 'drop-answer',
  answer: 'private',
  async submit(submission: Submission) {
    const { card } = await submission.tipping.drops.claim({
      drop: submission.record,
      claimant: claimantOf(submission),
      answer: submission.values.answer ?? '',
      origin: submission.origin,
    })
    return { card }
  },
} satisfies FormReply

/** Ends a drop before its time; its owner may, and moderators. */
export const dropClose = {
  verb: 'drop-close',
  answer: 'private',
  async press({ record, member, standing, origin, tipping, words }: Press) {
    const { returned } = await tipping.drops.close({
      drop: record,
      member,
      moderator: standing.moderator,
      origin,
    })
    return { say: { content: words.say('drop.closedByYou', { amount: returned }) } }
  },
} satisfies Button

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

function claimantOf({ member, standing: { accountSince, memberSince, roles } }: Asking) {
  return { id: member, accountSince, memberSince, roles }
}
