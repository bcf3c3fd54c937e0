import { type LeaderboardView, type Ranked, SPANS, type StatsView } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Call, Command, Options } from '../interactions/command.ts'
import { serverOf } from '../interactions/in-server.ts'
import { frame, heading } from '../messages/frame.ts'
import { colour, mention, small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import type { Name } from '../people/guild-members.ts'
import { drawableName } from '../pictures/fonts.ts'
import { drawnTitle } from '../pictures/titles.ts'
import { leaderboardPicture } from './leaderboard-picture.ts'
import { beginsLater, statsPicture } from './stats-picture.ts'

const options = { period: { kind: 'text', choices: SPANS } } as const satisfies Options

/** The unit of a bar for each span. */
const UNIT = { day: 'hour', week: 'day', month: 'day', year: 'month' } as const

const MAX_NAME_LENGTH = 26
const NAMED_IN_ALT = 3

export const leaderboard = {
  name: 'leaderboard',
  answer: 'public',
  where: 'server',
  options,
  async run({ tipping, toAll: t, members, options: { period = 'month' }, ...asking }: Call<typeof options>) {
    const guild = serverOf(asking)
    const board = await tipping.insights.leaderboard(guild, period)
    const title = t(`leaderboard.title.${period}`)
    if (board.tippers.length + board.receivers.length === 0) {
      return { say: { frame: frame(colour.over, heading(title), t('leaderboard.empty')) } }
    }
    const names = await members.names(guild, everybody(board))
    const lines = (ranked: readonly Ranked[]) =>
      ranked.map(({ member, amount }) => ({ name: drawnName(names.get(member)), amount }))
    const titles = {
      tippers: drawnTitle('leaderboard.picture.tippers', t, tipping),
      receivers: drawnTitle('leaderboard.picture.receivers', t, tipping),
    }
    const drawn = { tippers: lines(board.tippers), receivers: lines(board.receivers) }
    const png = await leaderboardPicture(drawn, titles, t)
    const picture = { name: 'leaderboard.png', png, alt: altOf(drawn, t) }
    const text = [
      first('leaderboard.mostGiven', board.tippers, t),
      first('leaderboard.mostGot', board.receivers, t),
      unclaimedLine(board, t),
    ]
    const shown = frame(
      colour.satchel,
      heading(title),
      { picture: picture.name },
      textOf(text),
      small(t('leaderboard.hide')),
    )
    return { say: { frame: shown, pictures: [picture] } }
  },
} satisfies Command<typeof options>

export const stats = {
  name: 'stats',
  answer: 'public',
  where: 'server',
  options,
  async run({ tipping, toAll: t, options: { period = 'month' }, ...asking }: Call<typeof options>) {
    const guild = serverOf(asking)
    const view = await tipping.insights.stats(guild, period)
    const { bars, total, gifts, tippers, receivers, largest } = view
    const title = t(`stats.title.${period}`)
    const unit = UNIT[period]
    const png = await statsPicture(bars, unit, drawnTitle(`stats.picture.${unit}`, t, tipping), t)
    const facts = { total, count: gifts, largest, tippers, receivers }
    const picture = { name: 'stats.png', png, alt: t('stats.alt', facts) }
    const text = [
      t('stats.total', facts),
      t('stats.people', facts),
      largest > 0n ? t('stats.largest', facts) : '',
      unclaimedLine(view, t),
    ]
    const later = beginsLater(bars, unit, t)
    return {
      say: {
        frame: frame(
          colour.satchel,
          heading(title),
          { picture: picture.name },
          textOf(text),
          later === undefined ? '' : small(later),
        ),
        pictures: [picture],
      },
    }
  },
} satisfies Command<typeof options>

function textOf(lines: readonly string[]): string {
  return lines.filter((line) => line !== '').join('\n')
}

function everybody({ tippers, receivers }: LeaderboardView): string[] {
  return [...tippers, ...receivers].map(({ member }) => member)
}

function first(key: 'leaderboard.mostGiven' | 'leaderboard.mostGot', [best]: readonly Ranked[], t: Translator): string {
  return best === undefined ? '' : t(key, { who: mention(best.member), amount: best.amount })
}

/**
 * Returns the line with the sum of unclaimed gifts, which the list of receivers does not include; empty if there are
 * none.
 */
function unclaimedLine({ unclaimed }: Pick<StatsView, 'unclaimed'>, t: Translator): string {
  return unclaimed > 0n ? t('stats.unclaimed', { amount: unclaimed }) : ''
}

/** Returns the name in this server if a font can draw it, otherwise the user name, shortened if too long. */
function drawnName(name: Name | undefined): string {
  if (name === undefined) return '…'
  // Cut by whole letters as people see them: half of one would be drawn as another.
  const shown = [...new Intl.Segmenter().segment(drawableName(name.shown) ?? name.username)].map((each) => each.segment)
  return shown.length > MAX_NAME_LENGTH ? `${shown.slice(0, MAX_NAME_LENGTH - 1).join('')}…` : shown.join('')
}

function altOf(
  { tippers, receivers }: Record<'tippers' | 'receivers', readonly { name: string; amount: bigint }[]>,
  t: Translator,
): string {
  const list = (lines: readonly { name: string; amount: bigint }[]) =>
    lines.length === 0
      ? '–'
      : t.list(lines.slice(0, NAMED_IN_ALT).map(({ name, amount }) => `${quotable(name)} (${t.amount(amount)})`))
  return t('leaderboard.alt', { tippers: list(tippers), receivers: list(receivers) })
}
