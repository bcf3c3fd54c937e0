import { inlineCode, roleMention } from 'discord.js'
import type { GiveawayPrize, GiveawayRerollView, GiveawayView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import { whyNotSent } from '../cards/not-sent.ts'
import { frame, LINE } from '../discord/frame.ts'
import type { Message } from '../discord/message.ts'
import { colour, mention, moment, small } from '../discord/panel.ts'
import { rolesSaid } from '../discord/refusal-text.ts'
import type { Translator } from '../i18n/translator.ts'
import { poolLines } from '../spending/from-pool.ts'
import { cashOutButton } from '../withdrawals/cash-out-button.ts'
import { giveawayEnterButton, giveawayVerifyButton } from './buttons.ts'
import { editLines } from './edit.ts'
import { giveawayWhoButton } from './who.ts'

/** Many may enter within a second; the card is drawn at most so often, and then as it is by then. */
const REST_MS = 1_500
/** More winners than this are named, without how each prize stands. */
const MAX_LISTED = 12
/** 80 bits of a hash: nobody finds another seed, or other entrants, with the same. */
const FINGERPRINT_LENGTH = 20

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
    message: { content: t('giveaway.endsEarly', { who: mention(starter), until: moment(endsAt) }) },
  }),
  people: ({ starter }) => [starter],
  about: ({ card }) => card,
})

/**
 * The hash of the entrants, in a message of its own where a public value is mixed in: the message's id tells when it was published,
 * which nobody can change.
 */
export const giveawaySealedRenderer = renderCard({
  load: (tipping, record) => tipping.giveaways.view(record),
  draw: ({ entrants, entrantsHash = '' }, t): Drawing => ({
    message: { content: small(`${t('giveaway.sealed', { count: entrants })} · ${beginningOf(entrantsHash)}`) },
  }),
  about: ({ card }) => card,
})

/** The one result: who was drawn, and how the prizes stand. It notifies those who won. */
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
  const { id, starter, prize, winners, state, entrants, commitment, entrantsHash } = giveaway
  const isOpen = state === 'open'
  const lines = [
    `## ${t.amount(prize)}${winners > 1 ? ` × ${winners}` : ''}`,
    ...poolLines(giveaway, t),
    ...statusLines(giveaway, t),
    t('giveaway.entrants', { count: entrants }),
    ...(isOpen ? requirements(giveaway, t) : []),
    ...editLines(giveaway.edits, t),
  ]
  const terms = isOpen ? small(t('giveaway.terms', { total: prize * BigInt(winners) })) : ''
  const published = [commitment, ...(entrantsHash === undefined ? [] : [entrantsHash])]
  return {
    content: t('giveaway.headline', { who: mention(starter), prize, count: winners }),
    frame: frame(EDGES[state], textOf(lines), LINE, textOf([terms, chanceLine(giveaway, t), proofLine(published, t)])),
    buttons: [
      ...(isOpen ? [giveawayEnterButton(id, t('giveaway.enterButton'))] : []),
      ...(state === 'cancelled' || entrants === 0 ? [] : [giveawayWhoButton(id, t('giveaway.whoButton'))]),
      ...(state === 'cancelled' ? [] : [giveawayVerifyButton(id, t('giveaway.verifyButton'))]),
    ],
  }
}

function textOf(lines: readonly string[]): string {
  return lines.filter((line) => line !== '').join('\n')
}

/**
 * What the channel must carry for the draw to be provable: everybody has seen the beginning of each hash before the seed was
 * known. The whole of it is behind the button.
 */
function proofLine(hashes: readonly string[], t: Translator): string {
  return small([t('giveaway.fair'), ...hashes.map(beginningOf)].join(' · '))
}

function beginningOf(hash: string): string {
  return inlineCode(hash.slice(0, FINGERPRINT_LENGTH))
}

/** What decides besides the list of entrants: who could know it beforehand is the question of every draw. */
function chanceLine({ beacon, state }: GiveawayView, t: Translator): string {
  if (state === 'cancelled') return ''
  if (beacon === undefined) return small(t('giveaway.seedOnly'))
  const facts = { round: beacon.round, at: moment(beacon.at) }
  return small(t(beacon.state === 'missed' ? 'giveaway.beaconMissed' : 'giveaway.beacon', facts))
}

const EDGES = { open: colour.satchel, sealed: colour.inFlight, drawn: colour.done, cancelled: colour.over } as const

function requirements({ roles, minAgeDays, activeDays, bonus, maxEntries }: GiveawayView, t: Translator): string[] {
  return [
    roles === undefined ? '' : t('giveaway.needsRole', { role: rolesSaid(roles.ids, roles.need, t) }),
    maxEntries === undefined ? '' : t('giveaway.closesAt', { entries: maxEntries }),
    minAgeDays === undefined ? '' : t('giveaway.needsAge', { count: minAgeDays }),
    activeDays === undefined ? '' : t('giveaway.needsActivity', { count: activeDays }),
    bonus === undefined ? '' : t('giveaway.bonus', { role: roleMention(bonus.role), chances: bonus.chances }),
  ]
}

function statusLines(giveaway: GiveawayView, t: Translator): string[] {
  const { state, endsAt, won, cancelledBy } = giveaway
  if (state === 'open') return [t('giveaway.ends', { until: moment(endsAt) })]
  if (state === 'sealed') return [t('giveaway.drawing')]
  const back = backLine(giveaway, t)
  if (state === 'cancelled' && cancelledBy === undefined) return [t('giveaway.cancelled'), back]
  if (state === 'cancelled') return [t('giveaway.cancelledBy', { by: mention(cancelledBy ?? '') }), back]
  return [won.length === 0 ? '' : `🎉 ${won.map(({ member }) => mention(member)).join(' ')}`, back]
}

/** What nobody won went back to who paid for it. */
function backLine({ returned, starter, reason }: GiveawayView, t: Translator): string {
  if (returned === 0n) return ''
  return t(reason === undefined ? 'giveaway.returned' : 'pool.back', { amount: returned, who: mention(starter) })
}

function drawWinners(giveaway: GiveawayView, t: Translator): Drawing {
  const { prize } = giveaway
  const won = giveaway.won.filter(({ again }) => !again)
  const people = won.map(({ member }) => member)
  const content =
    won.length === 0
      ? t('giveaway.nobody')
      : t(won.length === 1 ? 'giveaway.wonAlone' : 'giveaway.wonEach', {
          people: t.list(people.map(mention)),
          prize,
        })
  const lines = [...(won.length > MAX_LISTED ? [] : won.map((prize) => prizeLine(prize, t))), backLine(giveaway, t)]
  const edge = won.some(({ state }) => state === 'sending' || state === 'unknown') ? colour.inFlight : colour.done
  const buttons = [...cashOut(giveaway.id, won, t), giveawayVerifyButton(giveaway.id, t('giveaway.verifyButton'))]
  return { message: { content, frame: frame(edge, textOf(lines)), buttons, notifies: people } }
}

function drawReroll(reroll: GiveawayRerollView, t: Translator): Drawing {
  const { giveaway, member } = reroll
  const facts = { who: mention(member), prize: giveaway.prize, from: mention(giveaway.starter) }
  return {
    message: {
      content: t('giveaway.drawnAgain', facts),
      frame: frame(colour.done, prizeLine(reroll, t), small(t('giveaway.nextInLine'))),
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
