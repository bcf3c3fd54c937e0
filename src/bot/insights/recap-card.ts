import type { RecapView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { frame, heading } from '../messages/frame.ts'
import { colour, mention, small } from '../messages/panel.ts'
import { drawnTitle } from '../pictures/titles.ts'
import { beginsLater, statsPicture } from './stats-picture.ts'

/** Draws the summary of a server's gifts in a week or a month. */
export const recapRenderer = renderCard({
  async load(tipping, record) {
    return { recap: await tipping.insights.recap(record), testMoney: tipping.testMoney }
  },
  draw: ({ recap, testMoney }, t) => drawRecap(recap, testMoney, t),
})

async function drawRecap(recap: RecapView, testMoney: boolean, t: Translator): Promise<Drawing> {
  const { kind, gifts, amount, pool, newcomers, thanks, streaks, days } = recap
  // If only the pool has given, there are no bars.
  const png =
    amount === 0n ? undefined : await statsPicture(days, 'day', drawnTitle('stats.picture.day', t, { testMoney }), t)
  const later = png && beginsLater(days, 'day', t)
  const pictures = png === undefined ? [] : [{ name: 'recap.png', png, alt: t('recap.alt', { amount }) }]
  const sums = [
    t('recap.gifts', { gifts, amount }),
    pool > 0n ? t('recap.pool', { amount: pool }) : '',
    newcomers > 0 ? t('recap.newcomers', { newcomers }) : '',
  ]
  const pairs = thanks.map(({ from, to, count }) => `${mention(from)} → ${mention(to)} · **${count}×**`)
  const rows = streaks.map(({ member, days: long }) => `${mention(member)} · **${t.duration(long, 'day')}**`)
  const text = (lines: readonly string[]) => lines.filter((line) => line !== '').join('\n')
  const parts = [
    text(sums),
    pairs.length === 0 ? '' : text([`**${t('recap.thanks')}**`, ...pairs]),
    rows.length === 0 ? '' : text([`**${t('recap.streaks')}**`, ...rows]),
    pairs.length + rows.length === 0 ? '' : small(t('leaderboard.hide')),
    later === undefined ? '' : small(later),
  ].filter((part) => part !== '')
  // A recap notifies nobody whom it names, because they know it already.
  const drawn = pictures.map(({ name }) => ({ picture: name }))
  const shown = frame(colour.satchel, heading(t(`recap.title.${kind}`)), ...drawn, ...parts)
  return { message: { frame: shown, pictures } }
}
