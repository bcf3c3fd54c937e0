import { hyperlink, messageLink } from 'discord.js'
import type { ReceiptView, TallyView } from '../../tipping/tipping.ts'
import { claimButton } from '../buttons/claim.ts'
import { colour, mention, panel, relative } from '../look.ts'
import { quotable } from '../refusal-words.ts'
import type { Words } from '../words.ts'
import { type Drawing, face } from './face.ts'

/** What a message got: one message below it, that counts on. */
export const tallyFace = face({
  load: (tipping, record) => tipping.tallies.view(record),
  draw: drawTally,
  answers: ({ channel, message }) => ({ channel, message }),
  restMs: 1_500,
})

/** A tip, told privately to whoever asked for that. */
export const receiptFace = face({
  load: (tipping, record) => tipping.receiptView(record),
  draw: drawReceipt,
})

const MAX_GIVERS = 5

function drawTally(tally: TallyView, words: Words): Drawing {
  const { author, total, tips, givers, notes, parkedUntil } = tally
  const more = givers.length - MAX_GIVERS
  const lines = [
    ...givers
      .slice(0, MAX_GIVERS)
      .map(({ member, amount }) => words.say('tally.giver', { who: mention(member), amount })),
    more > 0 ? words.say('tally.more', { count: more }) : '',
    ...notes.map(({ member, note }) => `> ${quotable(note, 200)} · ${mention(member)}`),
    parkedUntil === undefined ? '' : words.say('tally.parked', { who: mention(author), until: relative(parkedUntil) }),
  ]
  return {
    message: {
      content: words.say('tally.headline', { who: mention(author), total, count: tips }),
      embeds: [panel(colour.satchel, lines)],
      buttons: parkedUntil === undefined ? [] : [claimButton(tally.message, words.say('tip.claimButton'))],
      // Discord notifies of a new message, and of no edit: so of the first tip, and not of every one.
      notifies: [author],
    },
  }
}

function drawReceipt({ from, amount, note, reward, guild, channel, message }: ReceiptView, words: Words): Drawing {
  const lines = [
    words.say(reward ? 'receipt.reward' : 'receipt.tip', { amount, who: mention(from) }),
    note === '' ? '' : `> ${quotable(note, 200)}`,
    message === undefined || guild === undefined
      ? ''
      : hyperlink(words.say('receipt.message'), messageLink(channel, message, guild)),
  ]
  return { message: { embeds: [panel(colour.done, lines, { footer: words.say('receipt.why') })] } }
}
