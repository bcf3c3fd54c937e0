import { inlineCode, roleMention, spoiler } from 'discord.js'
import type { GiveawayPrize, GiveawayRerollView, GiveawayView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import { whyNotSent } from '../cards/not-sent.ts'
import type { Message } from '../discord/message.ts'
import { colour, mention, panel, relative, small } from '../discord/panel.ts'
import type { Translator } from '../i18n/translator.ts'
import { poolLines } from '../spending/from-pool.ts'
import { cashOutButton } from '../withdrawals/cash-out-button.ts'
import { giveawayEnterButton } from './buttons.ts'

/** Many may enter within a second; the card is drawn at most so often, and then as it is by then. */
const REST_MS = 1_500
/** More winners than this are named, without how each prize stands. */
const MAX_LISTED = 12

/** The prize, what is asked for, how many have entered, and the button to enter; later who won. */
export const giveawayRenderer = renderCard({
  load: (tipping, record) => tipping.giveaways.view(record),
  draw: (giveaway, t): Drawing => ({ message: drawGiveaway(giveaway, t) }),
  people: ({ starter }) => [starter],
  restMs: REST_MS,
})

/** Its starter ends it earlier than was said. */
export const giveawayEndingRenderer = renderCard({
  load: (tipping, record) => tipping.giveaways.view(record),
  draw: ({ starter, endsAt }, t): Drawing => ({
    message: { content: t('giveaway.endsEarly', { who: mention(starter), until: relative(endsAt) }) },
  }),
  people: ({ starter }) => [starter],
  about: ({ card }) => card,
})

/** Published before the seed: the hash of the entrants. */
export const giveawaySealedRenderer = renderCard({
  load: (tipping, record) => tipping.giveaways.view(record),
  draw: (giveaway, t): Drawing => {
    const { entrants, entrantsHash = '' } = giveaway
    const lines = [t('giveaway.sealed', { count: entrants }), chanceLine(giveaway, t), proofLine(entrantsHash, t)]
    return { message: { content: lines.join('\n') } }
  },
  about: ({ card }) => card,
})

/** Who was drawn, how the prizes stand, and the seed. */
export const giveawayDrawnRenderer = renderCard({
  load: (tipping, record) => tipping.giveaways.view(record),
  draw: drawWinners,
  people: ({ starter, won }) => [starter, ...won.map(({ member }) => member)],
  about: ({ card }) => card,
})

/** Who was drawn later. */
export const giveawayRerollRenderer = renderCard({
  load: (tipping, record) => tipping.giveaways.rerollView(record),
  draw: drawReroll,
  people: ({ giveaway, member }) => [giveaway.starter, member],
})

function drawGiveaway(giveaway: GiveawayView, t: Translator): Message {
  const { id, starter, prize, winners, state, entrants, commitment } = giveaway
  const isOpen = state === 'open'
  const content = t('giveaway.headline', { who: mention(starter), prize, count: winners })
  const lines = [
    `## ${t.amount(prize)}${winners > 1 ? ` × ${winners}` : ''}`,
    ...poolLines(giveaway, t),
    ...statusLines(giveaway, t),
    t('giveaway.entrants', { count: entrants }),
    ...(isOpen ? requirements(giveaway, t) : []),
    chanceLine(giveaway, t),
    proofLine(commitment, t),
  ]
  const footer = isOpen ? t('giveaway.terms', { total: prize * BigInt(winners) }) : undefined
  return {
    content,
    embeds: [panel(EDGES[state], lines, { footer })],
    buttons: isOpen ? [giveawayEnterButton(id, t('giveaway.enterButton'))] : [],
  }
}

/**
 * What the channel must carry for the draw to be provable, as small print that a press uncovers: everybody has seen it
 * before the seed was known.
 */
function proofLine(hash: string, t: Translator): string {
  return small(`${t('giveaway.fair')} · ${spoiler(inlineCode(hash))}`)
}

/** What decides besides the list of entrants: who could know it beforehand is the question of every draw. */
function chanceLine({ beacon, state }: GiveawayView, t: Translator): string {
  if (state === 'cancelled') return ''
  if (beacon === undefined) return small(t('giveaway.seedOnly'))
  const facts = { round: beacon.round, at: relative(beacon.at) }
  return small(t(beacon.state === 'missed' ? 'giveaway.beaconMissed' : 'giveaway.beacon', facts))
}

const EDGES = { open: colour.satchel, sealed: colour.inFlight, drawn: colour.done, cancelled: colour.over } as const

function requirements({ role, minAgeDays }: GiveawayView, t: Translator): string[] {
  return [
    role === undefined ? '' : t('giveaway.needsRole', { role: roleMention(role) }),
    minAgeDays === undefined ? '' : t('giveaway.needsAge', { count: minAgeDays }),
  ]
}

function statusLines(giveaway: GiveawayView, t: Translator): string[] {
  const { state, endsAt, won, starter, returned, cancelledBy, reason } = giveaway
  if (state === 'open') return [t('giveaway.ends', { until: relative(endsAt) })]
  if (state === 'sealed') return [t('giveaway.drawing')]
  const where = reason === undefined ? 'giveaway.returned' : 'pool.back'
  const back = returned > 0n ? t(where, { amount: returned, who: mention(starter) }) : ''
  if (state === 'cancelled' && cancelledBy === undefined) return [t('giveaway.cancelled'), back]
  if (state === 'cancelled') return [t('giveaway.cancelledBy', { by: mention(cancelledBy ?? '') }), back]
  return [won.length === 0 ? '' : `🎉 ${won.map(({ member }) => mention(member)).join(' ')}`, back]
}

function drawWinners(giveaway: GiveawayView, t: Translator): Drawing {
  const { starter, prize, returned, seed = '' } = giveaway
  const won = giveaway.won.filter(({ again }) => !again)
  const people = won.map(({ member }) => member)
  const content =
    won.length === 0
      ? t('giveaway.nobody')
      : t(won.length === 1 ? 'giveaway.wonAlone' : 'giveaway.wonEach', {
          people: t.list(people.map(mention)),
          prize,
        })
  const lines = [
    ...(won.length > MAX_LISTED ? [] : won.map((prize) => prizeLine(prize, t))),
    returned > 0n ? t('giveaway.returned', { amount: returned, who: mention(starter) }) : '',
    chanceLine(giveaway, t),
    small(`${t('giveaway.seed', { seed: spoiler(inlineCode(seed)) })} · ${t('giveaway.howToVerify')}`),
  ]
  const edge = won.some(({ state }) => state === 'sending' || state === 'unknown') ? colour.inFlight : colour.done
  const buttons = cashOut(giveaway.id, won, t)
  return { message: { content, embeds: [panel(edge, lines)], buttons, notifies: people } }
}

function drawReroll(reroll: GiveawayRerollView, t: Translator): Drawing {
  const { giveaway, member } = reroll
  const facts = { who: mention(member), prize: giveaway.prize, from: mention(giveaway.starter) }
  return {
    message: {
      content: t('giveaway.drawnAgain', facts),
      embeds: [panel(colour.done, prizeLine(reroll, t), { footer: t('giveaway.nextInLine') })],
      buttons: cashOut(giveaway.id, [reroll], t),
      notifies: [member],
    },
  }
}

/** For winners without an account anywhere: what stays in the balance here can be taken to any wallet. */
function cashOut(giveaway: string, won: readonly GiveawayPrize[], t: Translator) {
  const stays = won.some(({ state }) => state === 'credited' || state === 'kept')
  return stays ? [cashOutButton(giveaway, t('claim.cashOutButton'))] : []
}

/** How a prize stands, in the words of a tip: it is paid as one. */
function prizeLine(prize: GiveawayPrize, t: Translator): string {
  const who = mention(prize.member)
  if (prize.state === 'kept') return t('tip.share.kept', { who, why: whyNotSent(prize, t) })
  return t(`tip.share.${prize.state}`, { who })
}
