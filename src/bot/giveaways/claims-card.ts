import type { GiveawayView, NamedWinner } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { frame } from '../messages/frame.ts'
import { colour, fitting, mention, moment } from '../messages/panel.ts'
import { giveawayClaimButton, giveawayVerifyButton } from './buttons.ts'
import { cashOut, prizeLines } from './prize-lines.ts'

/** Names and notifies the people who are next in the draw's order, for prizes that nobody claimed in time. */
export const giveawayRedrawRenderer = renderCard({
  async load(tipping, record) {
    const [giveaway = '', round] = record.split('/')
    return { giveaway: await tipping.giveaways.view(giveaway), round: Number(round) }
  },
  draw: ({ giveaway, round }, t): Drawing => drawRound(giveaway, round, t),
  people: ({ giveaway, round }) => [giveaway.starter, ...namedIn(giveaway, round).map(({ member }) => member)],
  about: ({ giveaway }) => giveaway.card,
})

/** Shows the winners and their deadline to claim, and later who has claimed. */
export function drawRound(giveaway: GiveawayView, round: number, t: Translator): Drawing {
  const { id, prize, won } = giveaway
  const named = namedIn(giveaway, round)
  const people = named.map(({ member }) => member)
  const until = new Date(Math.max(...named.map((each) => each.until.getTime())))
  const call = t('giveaway.claimCall', { prize, people: t.list(people.map(mention)), until: moment(until) })
  const paid = won.filter(({ member }) => people.includes(member))
  const isOpen = named.some(({ state }) => state === 'open')
  const lines = [...prizeLines(paid, t), ...waitingLines(named, t)]
  return {
    message: {
      content: round === 0 ? call : `${t('giveaway.claimAgain')}\n${call}`,
      frame: frame(isOpen ? colour.satchel : colour.done, lines.join('\n')),
      buttons: [
        ...(isOpen ? [giveawayClaimButton(id, t('giveaway.claimButton'))] : []),
        ...cashOut(id, paid, t),
        giveawayVerifyButton(id, t('giveaway.verifyButton')),
      ],
      notifies: people,
    },
  }
}

function namedIn({ claim }: GiveawayView, round: number): NamedWinner[] {
  return claim?.named.filter((named) => named.round === round) ?? []
}

/**
 * The most characters on a card for each of two lists: winners who can still claim, and winners who missed the
 * deadline.
 */
const MAX_NAMED_LENGTH = 900

/** Lists the winners who can still claim, and those who missed the deadline. */
export function waitingLines(named: readonly NamedWinner[], t: Translator): string[] {
  const [open, missed] = (['open', 'missed'] as const).map((state) => named.filter((each) => each.state === state))
  const people = (those: readonly NamedWinner[] = []) =>
    fitting(
      those.map(({ member }) => mention(member)),
      ' ',
      MAX_NAMED_LENGTH,
    ).join(' ')
  const [first] = open ?? []
  return [
    ...(first === undefined ? [] : [t('giveaway.claimWaits', { people: people(open), until: moment(first.until) })]),
    ...(missed?.length ? [t('giveaway.claimMissed', { people: people(missed) })] : []),
  ]
}

const UNITS = [
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const

/** States, before anybody enters, how long winners will have to claim. */
export function claimTimeLine({ claim }: GiveawayView, t: Translator): string {
  if (claim === undefined) return ''
  const [unit, minutes] = UNITS.find(([, each]) => claim.minutes % each === 0) ?? UNITS[2]
  return t('giveaway.claimTime', { time: t.duration(claim.minutes / minutes, unit) })
}
