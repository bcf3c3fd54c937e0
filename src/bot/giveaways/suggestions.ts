import type { GiveawayState, GiveawayView } from '../../tipping/tipping.ts'
import type { Suggestion, Typing } from '../interactions/command.ts'
import { type Looking, lookingOf } from './verify.ts'

/** The suggested durations. */
export const DURATIONS = [
  ['10m', 10, 'minute'],
  ['30m', 30, 'minute'],
  ['1h', 1, 'hour'],
  ['6h', 6, 'hour'],
  ['1d', 1, 'day'],
  ['3d', 3, 'day'],
  ['7d', 7, 'day'],
] as const

export async function suggestDurations({ typed, t }: Typing): Promise<Suggestion[]> {
  return DURATIONS.filter(([value]) => value.startsWith(typed.trim().toLowerCase())).map(([value, count, unit]) => ({
    name: t.duration(count, unit),
    value,
  }))
}

/** Suggests giveaways in this state: those that the member has started, or, if the member moderates the server, all. */
export function suggestMine(state: GiveawayState) {
  return (typing: Typing) =>
    suggest(
      typing,
      (giveaway, { member, moderator }) => giveaway.state === state && (giveaway.starter === member || moderator),
    )
}

/** Suggests giveaways in this state that the member has started. */
export function suggestStarted(state: GiveawayState) {
  return (typing: Typing) =>
    suggest(typing, (giveaway, { member }) => giveaway.state === state && giveaway.starter === member)
}

/** Suggests drawn giveaways: the member's own, and, for a moderator, also others with prizes to be claimed. */
export function suggestDrawn(typing: Typing) {
  const waits = ({ claim }: GiveawayView) => claim !== undefined && claim.settledAt === undefined
  return suggest(
    typing,
    (giveaway, { member, moderator }) =>
      giveaway.state === 'drawn' && (giveaway.starter === member || (moderator && waits(giveaway))),
  )
}

/** Suggests the server's matching giveaways, newest first. */
export async function suggest(
  typing: Typing,
  isMeant: (giveaway: GiveawayView, looking: Looking) => boolean,
): Promise<Suggestion[]> {
  const giveaways = await typing.tipping.giveaways.list({ guild: typing.guild, limit: 100 })
  const looking = await lookingOf(typing)
  const typed = typing.typed.trim().toLowerCase()
  return giveaways
    .filter((giveaway) => isMeant(giveaway, looking))
    .map((giveaway) => ({ name: nameOf(giveaway, typing), value: giveaway.id }))
    .filter(({ name, value }) => name.toLowerCase().includes(typed) || value === typed)
}

function nameOf(
  { prize, winners, state, entrants, endsAt, endedAt }: GiveawayView,
  { t, at }: Pick<Typing, 't' | 'at'>,
): string {
  return t('giveaway.name', {
    prize,
    winners,
    count: entrants,
    state: t(`giveaway.states.${state}`),
    when: t.fromNow(endedAt ?? endsAt, at),
  })
}
