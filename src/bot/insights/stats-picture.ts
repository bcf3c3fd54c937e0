import { TimestampStyles, time } from 'discord.js'
import { type Html, html } from '../../lib/web/html.ts'
import type { Translator } from '../i18n/translator.ts'
import { amountAxis, bar, layOut, middle, nameAxis, type Plot } from '../pictures/axes.ts'
import { moment, satsOf, short } from '../pictures/figures.ts'
import { drawPng, heading, shade } from '../pictures/png.ts'

const HEIGHT = 520

interface Bar {
  readonly from: Date
  readonly amount: bigint
}

/** The unit of time that a bar stands for. */
type Unit = 'hour' | 'day' | 'month'

/** The minimum number of bars, because fewer look wrong. */
const MIN_BARS = 7

/** Returns the bars without those before a young server's first tip, but at least MIN_BARS bars. */
export function sinceTheFirst(bars: readonly Bar[]): readonly Bar[] {
  const first = bars.findIndex(({ amount }) => amount > 0n)
  return first < 0 ? bars : bars.slice(Math.max(0, Math.min(first, bars.length - MIN_BARS)))
}

/** A time of day, UTC, that has the same date from Hawaii to New Zealand's summer (UTC−10 to UTC+13). */
const SAME_DATE_MS = 10 * 3_600_000

/** States when the picture begins if empty bars are left out at its beginning; undefined if none are. */
export function beginsLater(bars: readonly Bar[], unit: Unit, t: Translator): string | undefined {
  const [first] = sinceTheFirst(bars)
  if (first === undefined || first === bars[0]) return undefined
  if (unit === 'hour') return t('stats.since', { when: time(first.from, TimestampStyles.ShortDateTime) })
  // Bars begin at midnight UTC, which has another date west of Greenwich than the picture.
  const day = new Date(first.from.getTime() + SAME_DATE_MS)
  return t('stats.since', { when: time(day, TimestampStyles.LongDate) })
}

/** Draws how much was tipped, bar by bar. */
export function statsPicture(all: readonly Bar[], unit: Unit, title: string, t: Translator): Promise<Buffer> {
  const bars = sinceTheFirst(all)
  const sums = bars.map(({ amount }) => satsOf(amount))
  const plot = layOut({ top: 104, bottom: HEIGHT - 52 }, bars.length, sums, t)
  const names = bars.map(({ from }) => moment(from, unit, t))
  return drawPng(HEIGHT, [
    heading(title, 58),
    amountAxis(plot, t),
    nameAxis(plot, names),
    sums.map((sum, index) => bar(plot, index, sum, shade.orange)),
    largest(plot, sums, t),
  ])
}

/** Draws the highest bar's sum above it. */
function largest(plot: Plot, sums: readonly number[], t: Translator): Html | false {
  const most = Math.max(0, ...sums)
  if (most === 0) return false
  const text = short(most, t)
  const half = text.length * 7 + 8
  const x = Math.min(Math.max(middle(plot.x, sums.indexOf(most)), plot.left + half), plot.right - half)
  const y = plot.y(most) - 12
  return html`<rect x="${x - half}" y="${y - 22}" width="${2 * half}" height="29" fill="${shade.background}"/><text x="${x}" y="${y}" fill="${shade.text}" font-size="22" font-weight="700" text-anchor="middle">${text}</text>`
}
