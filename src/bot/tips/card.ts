import {
  MAX_NOTE,
  type PromisedShareState,
  type ShareState,
  type TipShare,
  type TipView,
  type WalletShareState,
} from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import { whyNotSent } from '../cards/not-sent.ts'
import { claimButton } from '../claims/buttons.ts'
import type { Translator } from '../i18n/translator.ts'
import { frame } from '../messages/frame.ts'
import type { Message } from '../messages/message.ts'
import { colour, mention, moment, relative, small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { joinButton } from './buttons.ts'
import { whyNotYet } from './promise-card.ts'
import { walletSummary } from './wallet-summary.ts'

/** Draws a tip in one message with all its shares, and with a claim button while any share waits for a newcomer. */
export const tipRenderer = renderCard({
  load: (tipping, record) => tipping.tips.view(record),
  draw: drawTip,
  people: peopleOfTip,
})

/** Returns a tip's giver and recipients. */
export function peopleOfTip({ from, shares }: TipView): string[] {
  return [...(from === undefined ? [] : [from]), ...shares.map(({ recipient }) => recipient)]
}

/** The most recipients who are listed; if there are more, they are only counted. */
const MAX_LISTED = 12
/**
 * The number of mentions that fit into one message of 2,000 characters, with room to spare. Discord notifies the people
 * whom a message's text mentions.
 */
const MAX_MENTIONED = 80

export function drawTip(tip: TipView, t: Translator): Drawing {
  const drawing = drawTipAsIs(tip, t)
  return tip.note === '' ? drawing : { ...drawing, bare: drawTipAsIs({ ...tip, note: '' }, t).message }
}

function drawTipAsIs(tip: TipView, t: Translator): Drawing {
  const all = tip.shares.map(({ recipient }) => recipient)
  const people = all.map(mention)
  const listed = people.length <= MAX_LISTED
  const to = listed ? t.list(people) : t('tip.people', { count: people.length })
  const several = people.length > 1
  const { join } = tip
  const each = tip.shares[0]?.amount
  const headline = headlineOf(tip, to, t)
  const note = tip.note === '' ? '' : `> ${quotable(tip.note, MAX_NOTE)}`
  const lines = [
    ...(listed ? shareLines(tip, t) : summary(tip, t)),
    tip.fromPool ? small(t('pool.pays')) : '',
    tip.from === undefined ? small(t('tip.anonymousHint')) : '',
    joinedLine(tip, t),
  ]
  const [only] = all
  const body = [note, ...lines].filter((line) => line !== '').join('\n')
  // Beside one receiver's picture the sum is large. For several, the total is below.
  const parts =
    several || only === undefined
      ? [body, join?.people ? '' : small(t('tip.total', { amount: tip.total }))]
      : [{ text: [`## 🪙 ${t.amount(tip.total)}`, body].join('\n'), face: only }]
  const waits = tip.shares.some(({ state }) => state === 'parked')
  const notifies = all.slice(0, MAX_MENTIONED)
  return {
    message: {
      content: listed ? headline : [headline, small(notifies.map(mention).join(' '))].join('\n'),
      frame: frame(edge(tip.shares), parts),
      buttons: [
        ...(waits ? [claimButton(tip.key, t('tip.claimButton'))] : []),
        ...(join === undefined || each === undefined ? [] : [joinButton(tip.key, each, t)]),
      ],
      notifies,
    },
    bell: bellFor(notifies, t),
    after: chunks(all.slice(MAX_MENTIONED)).map((people) => bellFor(people, t)),
  }
}

function headlineOf({ from, shares, total }: TipView, to: string, t: Translator): string {
  const amount = shares[0]?.amount ?? total
  const each = shares.length > 1
  if (from !== undefined && !each && shares.every(({ state }) => isPromise(state)))
    return t('tip.headlinePromised', { from: mention(from), to, amount })
  if (from !== undefined && shares.length > 0 && shares.every(({ state }) => state === 'unpaid'))
    return t('tip.headlineUnpaid', { from: mention(from), to, amount: total })
  if (from === undefined) return t(each ? 'tip.headlineAnonymousEach' : 'tip.headlineAnonymous', { to, amount })
  return t(each ? 'tip.headlineEach' : 'tip.headline', { from: mention(from), to, amount })
}

function isPromise(state: ShareState): boolean {
  return state === 'promised' || state === 'revoked' || state === 'lapsed'
}

/** Shows how many others have added the same amount, and the total. */
function joinedLine({ join }: TipView, t: Translator): string {
  return join === undefined || join.people === 0
    ? ''
    : `🙌 +${join.people} · **${t('tip.total', { amount: join.total })}**`
}

/**
 * Splits people into groups. Discord notifies at most a hundred people per message, and messages are short, so further
 * messages notify the remaining people.
 */
function chunks(people: readonly string[]): string[][] {
  const count = Math.ceil(people.length / MAX_MENTIONED)
  return Array.from({ length: count }, (_, nth) => people.slice(nth * MAX_MENTIONED, (nth + 1) * MAX_MENTIONED))
}

function bellFor(people: readonly string[], t: Translator): Message {
  return { content: small(t('tip.bell', { people: people.map(mention).join(' ') })), notifies: people }
}

/** Returns a line for each share, but a single line for all newcomers if their shares wait until the same time. */
function shareLines({ from, fromPool, shares }: TipView, t: Translator): string[] {
  const waiting = shares.filter(({ state }) => state === 'parked')
  const [first, ...others] = waiting
  const together = first !== undefined && others.every(({ until }) => until?.getTime() === first.until?.getTime())
  if (!together) return shares.map((share) => shareLine(share, { from, fromPool }, t))
  const rest = shares.filter(({ state }) => state !== 'parked').map((share) => shareLine(share, { from, fromPool }, t))
  return [...rest, unclaimedLine(t.list(waiting.map(({ recipient }) => mention(recipient))), first.until, t)]
}

function unclaimedLine(people: string, until: Date | undefined, t: Translator): string {
  return until === undefined
    ? t('tip.summary.parked', { people })
    : t('tip.share.parked', { who: people, until: relative(until) })
}

/** Describes one share's state in a line. */
export function shareLine(share: TipShare, tip: Pick<TipView, 'from' | 'fromPool'>, t: Translator): string {
  const { recipient, state, until } = share
  const who = mention(recipient)
  switch (state) {
    case 'kept':
      return t('tip.share.kept', { who, why: whyNotSent(share, t) })
    case 'parked':
      return unclaimedLine(who, until, t)
    case 'returned':
      return returnedLine(tip, who, t)
    case 'asked':
      return t(tip.fromPool ? 'pool.shareAsked' : 'tip.share.asked', { who, from: giverOf(tip) })
    case 'unsure':
      return t(tip.fromPool ? 'pool.shareUnsure' : 'tip.share.unsure', { who, from: giverOf(tip) })
    case 'unpaid':
      return t('tip.share.unpaid', { who, why: t(`tip.failure.${share.failure ?? 'interrupted'}`) })
    case 'promised':
      return promisedLine(share, { who, from: giverOf(tip) }, t)
    default:
      return t(`tip.share.${state}`, { who, from: giverOf(tip) })
  }
}

function promisedLine(
  { until = new Date(0), hindrance }: TipShare,
  { who, from }: { readonly who: string; readonly from: string },
  t: Translator,
): string {
  if (hindrance === undefined) return t('tip.share.promised', { who, from, until: moment(until) })
  return t('tip.share.hindered', { who, until: moment(until), why: whyNotYet(hindrance, t) })
}

/** Returns a line that says to whom the unclaimed sats have been returned. */
function returnedLine({ from, fromPool }: Pick<TipView, 'from' | 'fromPool'>, who: string, t: Translator): string {
  if (fromPool) return t('pool.shareReturned', { who })
  return from === undefined
    ? t('tip.anonymousReturned', { who })
    : t('tip.share.returned', { who, from: mention(from) })
}

/**
 * Returns a mention of the giver, or an empty text for an anonymous tip. Only a tip with a named giver goes from wallet
 * to wallet, so other lines do not need the mention.
 */
function giverOf({ from }: Pick<TipView, 'from'>): string {
  return from === undefined ? '' : mention(from)
}

/**
 * The states whose shares are counted if a tip has more recipients than are listed: all except those of payments by
 * wallets and of promises.
 */
const STATES: readonly Exclude<ShareState, WalletShareState | PromisedShareState>[] = [
  'paid',
  'claimed',
  'credited',
  'kept',
  'parked',
  'sending',
  'unknown',
  'returned',
]

function summary(tip: TipView, t: Translator): string[] {
  const rest = STATES.flatMap((state) => {
    const count = tip.shares.filter((share) => share.state === state).length
    if (count === 0) return []
    const people = t('tip.people', { count })
    if (state === 'returned' && (tip.fromPool || tip.from === undefined)) return returnedLine(tip, people, t)
    return t(`tip.summary.${state}`, { people, from: giverOf(tip) })
  })
  // A giver has few promises, and each tells its recipient what to do.
  const promised = tip.shares.filter(({ state }) => isPromise(state)).map((share) => shareLine(share, tip, t))
  return [...walletSummary(tip.shares, t), ...rest, ...promised]
}

/** Returns the edge colour for all shares together. */
export function edge(shares: readonly TipShare[]): number {
  const some = (...states: ShareState[]) => shares.some(({ state }) => states.includes(state))
  if (some('sending', 'unknown', 'asked', 'unsure')) return colour.inFlight
  if (some('parked', 'promised')) return colour.satchel
  const isOver = ({ state }: TipShare) => ['returned', 'unpaid', 'unconfirmed', 'revoked', 'lapsed'].includes(state)
  return shares.every(isOver) ? colour.over : colour.done
}
