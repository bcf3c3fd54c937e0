import { inlineCode, roleMention } from 'discord.js'
import type { GiveawayRerollView, GiveawayView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { frame, LINE } from '../messages/frame.ts'
import type { Message } from '../messages/message.ts'
import { colour, mention, moment, small } from '../messages/panel.ts'
import { rolesSaid } from '../refusals/refusal-text.ts'
import { poolLines } from '../spending/from-pool.ts'
import { giveawayClaimButton, giveawayEnterButton, giveawayVerifyButton } from './buttons.ts'
import { claimTimeLine, drawRound, waitingLines } from './claims-card.ts'
import { editLines } from './edit.ts'
import { giveawayWhoButton } from './entrants.ts'
import { cashOut, prizeLine, prizeLines } from './prize-lines.ts'

/** The shortest time between two drawings of the card, because many may enter within a second. */
const REST_MS = 1_500
/**
 * The length of a fingerprint in hexadecimal digits: 80 bits of a hash, so that nobody can find another seed, or other
 * entrants, with the same fingerprint.
 */
const FINGERPRINT_LENGTH = 20

/** Shows a giveaway's prize, conditions, number of entrants and entry button, and later its outcome. */
export const giveawayRenderer = renderCard({
  load: (tipping, record) => tipping.giveaways.view(record),
  draw: (giveaway, t): Drawing => ({ message: drawGiveaway(giveaway, t) }),
  people: ({ starter }) => [starter],
  restMs: REST_MS,
})

/** Announces that the person who started a giveaway is ending it early. */
export const giveawayEndingRenderer = renderCard({
  load: (tipping, record) => tipping.giveaways.view(record),
  draw: ({ starter, endsAt }, t): Drawing => ({
    message: { content: t('giveaway.endsEarly', { who: mention(starter), until: moment(endsAt) }) },
  }),
  people: ({ starter }) => [starter],
  about: ({ card }) => card,
})

/**
 * Publishes the hash of the entrants in a separate message if a public random value is part of the draw: the message's
 * unchangeable id proves the time of publication.
 */
export const giveawaySealedRenderer = renderCard({
  load: (tipping, record) => tipping.giveaways.view(record),
  draw: ({ entrants, entrantsHash = '' }, t): Drawing => ({
    message: { content: small(`${t('giveaway.sealed', { count: entrants })} · ${beginningOf(entrantsHash)}`) },
  }),
  about: ({ card }) => card,
})

/** Announces the result once: the winners, and the state of each prize. The message notifies the winners. */
export const giveawayDrawnRenderer = renderCard({
  load: (tipping, record) => tipping.giveaways.view(record),
  draw: drawWinners,
  people: ({ starter, won, claim }) => [starter, ...[...won, ...(claim?.named ?? [])].map(({ member }) => member)],
  about: ({ card }) => card,
})

/** Announces the winner of a reroll, which pays one more prize. */
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
  const promise = giveaway.claim === undefined ? 'giveaway.terms' : 'giveaway.claimTerms'
  const terms = isOpen ? small(t(promise, { total: prize * BigInt(winners) })) : ''
  const canClaim = giveaway.claim?.named.some((named) => named.state === 'open') === true
  const published = [commitment, ...(entrantsHash === undefined ? [] : [entrantsHash])]
  return {
    content: t('giveaway.headline', { who: mention(starter), prize, count: winners }),
    frame: frame(EDGES[state], textOf(lines), LINE, textOf([terms, chanceLine(giveaway, t), proofLine(published, t)])),
    buttons: [
      ...(isOpen ? [giveawayEnterButton(id, t('giveaway.enterButton'))] : []),
      ...(canClaim ? [giveawayClaimButton(id, t('giveaway.claimButton'))] : []),
      ...(state === 'cancelled' || entrants === 0 ? [] : [giveawayWhoButton(id, t('giveaway.whoButton'))]),
      ...(state === 'cancelled' ? [] : [giveawayVerifyButton(id, t('giveaway.verifyButton'))]),
    ],
  }
}

function textOf(lines: readonly string[]): string {
  return lines.filter((line) => line !== '').join('\n')
}

/**
 * Builds the line that makes a draw provable: the beginning of each hash, published before the seed is known. A button
 * shows the whole hashes.
 */
function proofLine(hashes: readonly string[], t: Translator): string {
  return small([t('giveaway.fair'), ...hashes.map(beginningOf)].join(' · '))
}

function beginningOf(hash: string): string {
  return inlineCode(hash.slice(0, FINGERPRINT_LENGTH))
}

/**
 * Explains what decides the draw besides the list of entrants, because everybody asks who could know the outcome
 * beforehand.
 */
function chanceLine({ beacon, state }: GiveawayView, t: Translator): string {
  if (state === 'cancelled') return ''
  if (beacon === undefined) return small(t('giveaway.seedOnly'))
  const facts = { round: beacon.round, at: moment(beacon.at) }
  return small(t(beacon.state === 'missed' ? 'giveaway.beaconMissed' : 'giveaway.beacon', facts))
}

const EDGES = { open: colour.satchel, sealed: colour.inFlight, drawn: colour.done, cancelled: colour.over } as const

function requirements(giveaway: GiveawayView, t: Translator): string[] {
  const { roles, minAgeDays, activeDays, bonus, maxEntries } = giveaway
  return [
    claimTimeLine(giveaway, t),
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
  const winners = won.length === 0 ? '' : `🎉 ${won.map(({ member }) => mention(member)).join(' ')}`
  return [winners, ...waitingLines(giveaway.claim?.named ?? [], t), back]
}

/** Reports the sum of the unclaimed prizes that went back to the payer. */
function backLine({ returned, starter, reason }: GiveawayView, t: Translator): string {
  if (returned === 0n) return ''
  return t(reason === undefined ? 'giveaway.returned' : 'pool.back', { amount: returned, who: mention(starter) })
}

function drawWinners(giveaway: GiveawayView, t: Translator): Drawing {
  const { prize, claim } = giveaway
  if (claim !== undefined && claim.named.length > 0) return drawRound(giveaway, 0, t)
  const won = giveaway.won.filter(({ again }) => !again)
  const people = won.map(({ member }) => member)
  const content =
    won.length === 0
      ? t('giveaway.nobody')
      : t(won.length === 1 ? 'giveaway.wonAlone' : 'giveaway.wonEach', {
          people: t.list(people.map(mention)),
          prize,
        })
  const lines = [...prizeLines(won, t), backLine(giveaway, t)]
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
