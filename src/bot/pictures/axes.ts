import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale'
import { type Html, html } from '../../lib/web/html.ts'
import type { Translator } from '../i18n/translator.ts'
import { lettersWide, short } from './figures.ts'
import { shade, WIDTH } from './png.ts'

const RIGHT = 32
/** The gap between an axis label and the drawing. */
const GAP = 14
/** The approximate width of a letter in an axis label. */
const LETTER = 11.5

/** The part of a picture that shows numbers over time: its place, and its scales in both directions. */
export interface Plot {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  /** The scale that places each bar by the bar's index. */
  readonly x: ScaleBand<number>
  /** The scale that converts sats to a height in the picture's units. */
  readonly y: ScaleLinear<number, number>
  /** The sums labelled on the axis. */
  readonly ticks: readonly number[]
}

/** Arranges `count` bars between these heights, with a scale that includes zero and all these sums (in sats). */
export function layOut(
  place: { readonly top: number; readonly bottom: number; readonly left?: number },
  count: number,
  sums: readonly number[],
  t: Translator,
  steps = 4,
): Plot {
  const { top, bottom } = place
  const range = scaleLinear([Math.min(0, ...sums), Math.max(1, ...sums)], [bottom, top]).nice(steps)
  const ticks = range.ticks(steps).filter((tick) => Number.isInteger(tick))
  const widest = Math.max(...ticks.map((tick) => lettersWide(short(tick, t))))
  const left = place.left ?? 24 + Math.ceil(widest * LETTER) + GAP
  const right = WIDTH - RIGHT
  const x = scaleBand(
    Array.from({ length: count }, (_, index) => index),
    [left, right],
  )
  return { left, right, top, bottom, x: x.paddingInner(0.28).paddingOuter(0.14), y: range, ticks }
}

/** Draws the lines across a plot, each with its sum, and a stronger line at zero. */
export function amountAxis({ left, right, y, ticks }: Plot, t: Translator): Html {
  return html`${ticks.map(
    (tick) =>
      html`<path d="M${left} ${y(tick)}H${right}" stroke="${shade.line}" stroke-dasharray="5 5"/><text x="${left - GAP}" y="${y(tick) + 7}" fill="${shade.faint}" text-anchor="end">${short(tick, t)}</text>`,
  )}<path d="M${left} ${y(0)}H${right}" stroke="${shade.line}" stroke-width="2"/>`
}

/** Draws the names below the bars: as many as fit without touching, always including the newest, which is the last. */
export function nameAxis({ left, right, bottom, x }: Plot, names: readonly string[]): Html {
  const widest = Math.max(...names.map(lettersWide)) * LETTER + 24
  const every = Math.max(1, Math.ceil((widest * names.length) / (right - left)))
  return html`${names.map((name, index) => {
    if ((names.length - 1 - index) % every !== 0) return false
    const half = (lettersWide(name) * LETTER) / 2
    // Keep it away from the other axis's sums and inside the picture.
    const at = Math.min(Math.max(middle(x, index), left + half), right + RIGHT / 2 - half)
    return html`<text x="${at}" y="${bottom + 32}" fill="${shade.faint}" text-anchor="middle">${name}</text>`
  })}`
}

/** Returns the middle of a bar. */
export function middle(x: ScaleBand<number>, index: number): number {
  return (x(index) ?? 0) + x.bandwidth() / 2
}

/** Draws a bar from zero to a sum, with round corners at the end that is farther from zero. */
export function bar({ x, y }: Plot, index: number, sum: number, colour: string): Html | false {
  if (sum === 0) return false
  const [left, width, foot, head] = [x(index) ?? 0, x.bandwidth(), y(0), y(sum)]
  const away = head < foot ? 1 : -1
  const round = Math.min(6, width / 2, Math.abs(head - foot))
  const corner = `a${round} ${round} 0 0 ${away === 1 ? 1 : 0}`
  return html`<path d="M${left} ${foot}V${head + round * away}${corner} ${round} ${-round * away}h${width - 2 * round}${corner} ${round} ${round * away}V${foot}Z" fill="${colour}"/>`
}
