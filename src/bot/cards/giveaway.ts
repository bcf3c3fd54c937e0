import { inlineCode, roleMention } from 'discord.js'
import type { GiveawayPrize, GiveawayRerollView, GiveawayView } from '../../tipping/tipping.ts'
import { cashOutButton } from '../buttons/cash-out.ts'
import { giveawayEnterButton } from '../buttons/giveaway.ts'
import { colour, mention, panel, relative } from '../look.ts'
import type { Message } from '../message.ts'
import type { Words } from '../words.ts'
import { type Drawing, face } from './face.ts'
import { whyKept } from './kept.ts'

/** Many may enter within a second; the card is drawn at most so often, and then as it is by then. */
const REST_MS = 1_500
/** More winners than this are named, without how each prize stands. */
const MAX_LISTED = 12

/** The prize, what is asked for, how many have entered, and the button to enter; later who won. */
export const giveawayFace = face({
  load: (tipping, record) => tipping.giveaways.view(record),
  draw: (giveaway, words): Drawing => ({ message: drawGiveaway(giveaway, words) }),
  restMs: REST_MS,
})

/** Published before the seed: the hash of the entrants. */
export const giveawaySealedFace = face({
  load: (tipping, record) => tipping.giveaways.view(record),
  draw: ({ entrants, entrantsHash = '' }, words): Drawing => ({
    message: { content: words.say('giveaway.sealed', { count: entrants, hash: inlineCode(entrantsHash) }) },
  }),
  about: ({ card }) => card,
})

/** Who was drawn, how the prizes stand, and the seed. */
export const giveawayDrawnFace = face({
  load: (tipping, record) => tipping.giveaways.view(record),
  draw: drawWinners,
  about: ({ card }) => card,
})

/** Who was drawn later. */
export const giveawayRerollFace = face({
  load: (tipping, record) => tipping.giveaways.rerollView(record),
  draw: drawReroll,
})

function drawGiveaway(giveaway: GiveawayView, words: Words): Message {
  const { id, starter, prize, winners, state, entrants, commitment } = giveaway
  const isOpen = state === 'open'
  const content = words.say('giveaway.headline', { who: mention(starter), prize, count: winners })
  const lines = [
    ...(isOpen ? requirements(giveaway, words) : []),
    words.say('giveaway.entrants', { count: entrants }),
    ...standing(giveaway, words),
  ]
  const proof = [
    words.say('giveaway.commitment', { hash: inlineCode(commitment) }),
    ...(giveaway.entrantsHash === undefined
      ? []
      : [words.say('giveaway.entrantsHash', { hash: inlineCode(giveaway.entrantsHash) })]),
    ...(giveaway.seed === undefined ? [] : [words.say('giveaway.seed', { seed: inlineCode(giveaway.seed) })]),
  ]
  const fields = [{ name: words.say('giveaway.proof'), value: proof.join('\n') }]
  const footer = isOpen ? words.say('giveaway.terms', { total: prize * BigInt(winners) }) : undefined
  return {
    content,
    embeds: [panel(EDGES[state], lines, { fields, footer })],
    buttons: isOpen ? [giveawayEnterButton(id, words.say('giveaway.enterButton'))] : [],
  }
}

const EDGES = { open: colour.satchel, sealed: colour.inFlight, drawn: colour.done, cancelled: colour.over } as const

function requirements({ role, minAgeDays }: GiveawayView, words: Words): string[] {
  return [
    role === undefined ? '' : words.say('giveaway.needsRole', { role: roleMention(role) }),
    minAgeDays === undefined ? '' : words.say('giveaway.needsAge', { count: minAgeDays }),
  ]
}

function standing({ state, endsAt, won, starter, returned }: GiveawayView, words: Words): string[] {
  if (state === 'open') return [words.say('giveaway.ends', { until: relative(endsAt) })]
  if (state === 'sealed') return [words.say('giveaway.drawing')]
  const back = returned > 0n ? words.say('giveaway.returned', { amount: returned, who: mention(starter) }) : ''
  if (state === 'cancelled') return [words.say('giveaway.cancelled'), back]
  return [won.length === 0 ? '' : `🎉 ${won.map(({ member }) => mention(member)).join(' ')}`, back]
}

function drawWinners(giveaway: GiveawayView, words: Words): Drawing {
  const { starter, prize, returned, seed = '' } = giveaway
  const won = giveaway.won.filter(({ again }) => !again)
  const people = won.map(({ member }) => member)
  const content =
    won.length === 0
      ? words.say('giveaway.nobody')
      : words.say(won.length === 1 ? 'giveaway.wonAlone' : 'giveaway.wonEach', {
          people: words.list(people.map(mention)),
          prize,
        })
  const lines = [
    ...(won.length > MAX_LISTED ? [] : won.map((prize) => prizeLine(prize, words))),
    returned > 0n ? words.say('giveaway.returned', { amount: returned, who: mention(starter) }) : '',
    words.say('giveaway.seed', { seed: inlineCode(seed) }),
  ]
  const edge = won.some(({ state }) => state === 'sending' || state === 'unknown') ? colour.inFlight : colour.done
  const footer = words.say('giveaway.howToVerify')
  const buttons = cashOut(giveaway.id, won, words)
  return { message: { content, embeds: [panel(edge, lines, { footer })], buttons, notifies: people } }
}

function drawReroll(reroll: GiveawayRerollView, words: Words): Drawing {
  const { giveaway, member } = reroll
  const facts = { who: mention(member), prize: giveaway.prize, from: mention(giveaway.starter) }
  return {
    message: {
      content: words.say('giveaway.drawnAgain', facts),
      embeds: [panel(colour.done, prizeLine(reroll, words), { footer: words.say('giveaway.nextInLine') })],
      buttons: cashOut(giveaway.id, [reroll], words),
    },
    // Discord notifies nobody of an edit, and the answer to a deferred command is one; so a line of its own does.
    after: [{ content: `-# ${words.say('tip.bell', { people: mention(member) })}`, notifies: [member] }],
  }
}

/** For winners without an account anywhere: what stays in the balance here can be taken to any wallet. */
function cashOut(giveaway: string, won: readonly GiveawayPrize[], words: Words) {
  const stays = won.some(({ state }) => state === 'credited' || state === 'kept')
  return stays ? [cashOutButton(giveaway, words.say('claim.cashOutButton'))] : []
}

/** How a prize stands, in the words of a tip: it is paid as one. */
function prizeLine(prize: GiveawayPrize, words: Words): string {
  const who = mention(prize.member)
  if (prize.state === 'kept') return words.say('tip.share.kept', { who, why: whyKept(prize, words) })
  if (prize.state === 'paid' && prize.transactionId !== undefined) {
    return words.say('tip.share.paidAs', { who, transaction: inlineCode(prize.transactionId) })
  }
  return words.say(`tip.share.${prize.state}`, { who })
}
