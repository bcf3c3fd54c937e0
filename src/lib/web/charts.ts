import { scaleLinear } from 'd3-scale'
import { MSATS_PER_SAT } from '../money/amount.ts'
import { type Html, html } from './html.ts'
import { inlineFile } from './inline-file.ts'

/** The style of bars and charts, which follows `BASE_STYLE`. */
export const CHART_STYLE = inlineFile(new URL('./charts.css', import.meta.url))

/**
 * The size of a drawing before it is stretched to its place. The text beside a drawing is HTML, so that the text keeps
 * its size.
 */
const [WIDTH, HEIGHT] = [600, 160]
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 })
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const HOUR = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC', hour12: false })

/** The colour of a bar or a line. */
export type ChartColour = 'accent' | 'blue' | 'good' | 'bad' | 'soft'

/** Draws the parts of a whole side by side, from the left. Each part has a share from 0 to 1. */
export function shareBar(parts: readonly (readonly [share: number, look: ChartColour])[]): Html {
  let from = 0
  const rects = parts.map(([share, look]) => {
    const rect = html`<rect class="fill-${look}" x="${(from * 100).toFixed(2)}" width="${(share * 100).toFixed(2)}" height="14"/>`
    from += share
    return rect
  })
  return html`<svg viewBox="0 0 100 14" preserveAspectRatio="none" class="shares" aria-hidden="true"><rect class="track" width="100" height="14"/>${rects}</svg>`
}

/** Draws a name and a figure, and below them a bar with the figure's share of a whole. */
export function labelledBar(label: string, figure: string, share: number, look: ChartColour): Html {
  return html`<div class="bar"><span>${label}</span><b>${figure}</b>${shareBar([[share, look]])}</div>`
}

/** The data of a bar chart: for each day one bar, or one above and one below the line. Amounts are in msats. */
export interface Bars {
  readonly label: string
  readonly unit: string
  readonly days: readonly Date[]
  readonly up: Series
  readonly down?: Series
}

export interface Series {
  readonly name: string
  readonly look: ChartColour
  readonly amounts: readonly bigint[]
}

/** Draws sums day by day, with a legend of their totals. */
export function barChart({ label, unit, days, up, down }: Bars): Html {
  const series = down === undefined ? [up] : [up, down]
  const most = topOf(series.flatMap(({ amounts }) => amounts))
  const y = scaleLinear([down === undefined ? 0 : -most, most], [HEIGHT, 0])
  const step = WIDTH / Math.max(days.length, 1)
  const bars = days.map((day, index) => {
    const told = series.map(({ name, amounts }) => `${name} ${WHOLE.format(satsOf(amounts[index] ?? 0n))}`).join(', ')
    const rects = series.map(({ look, amounts }, place) => {
      const sats = satsOf(amounts[index] ?? 0n) * (place === 0 ? 1 : -1)
      const [top, foot] = [Math.min(y(sats), y(0)), Math.max(y(sats), y(0))]
      return (
        sats !== 0 &&
        html`<rect class="fill-${look}" x="${round(index * step + 2)}" y="${round(top)}" width="${round(step - 4)}" height="${round(Math.max(foot - top, 1.5))}"/>`
      )
    })
    return html`<g><title>${DAY.format(day)}: ${told} ${unit}</title>${rects}<rect class="touch" x="${round(index * step)}" y="0" width="${round(step)}" height="${HEIGHT}"/></g>`
  })
  const lines = y.ticks(4).map((tick) => gridLine(y(tick), tick === 0))
  const [first, last] = [days[0], days.at(-1)]
  return figure({
    label: `${label}: ${series.map(({ name, amounts }) => `${name} ${total(amounts)} ${unit}`).join(', ')}`,
    legend: series.map(({ name, look, amounts }) => ({ look, text: name, value: `${total(amounts)} ${unit}` })),
    marks: down === undefined ? [most, most / 2, 0] : [most, 0, -most],
    from: first === undefined ? '' : DAY.format(first),
    until: last === undefined ? '' : DAY.format(last),
    drawing: html`${lines}${bars}`,
  })
}

/** The data of a line chart: values over time. An undefined amount leaves a gap. Amounts are in msats. */
export interface Lines {
  readonly label: string
  readonly unit: string
  readonly times: readonly Date[]
  readonly series: ReadonlyArray<Omit<Series, 'amounts'> & { readonly amounts: readonly (bigint | undefined)[] }>
}

export function lineChart({ label, unit, times, series }: Lines): Html {
  const [first, last] = [times[0], times.at(-1)]
  const known = series.flatMap(({ amounts }) => amounts.filter((amount) => amount !== undefined))
  const most = topOf(known)
  const y = scaleLinear([0, most], [HEIGHT, 0])
  const x = scaleLinear(
    [first?.getTime() ?? 0, Math.max(last?.getTime() ?? 1, (first?.getTime() ?? 0) + 1)],
    [0, WIDTH],
  )
  const paths = series.map(({ look, amounts }) => {
    let pen = 'M'
    const steps = amounts.map((amount, index) => {
      if (amount === undefined) {
        pen = 'M'
        return ''
      }
      const step = `${pen}${round(x(times[index] ?? 0))} ${round(y(satsOf(amount)))}`
      pen = 'L'
      return step
    })
    return html`<path class="line-${look}" d="${steps.join('')}"/>`
  })
  const newest = (amounts: readonly (bigint | undefined)[]) => amounts.findLast((amount) => amount !== undefined)
  const legend = series.map(({ name, look, amounts }) => {
    const amount = newest(amounts)
    return { look, text: name, value: amount === undefined ? 'not known' : `${WHOLE.format(satsOf(amount))} ${unit}` }
  })
  return figure({
    label: `${label}: ${legend.map(({ text, value }) => `${text} ${value}`).join(', ')}`,
    legend,
    marks: [most, most / 2, 0],
    from: first === undefined ? '' : `${HOUR.format(first)} UTC`,
    until: last === undefined ? '' : `${HOUR.format(last)} UTC`,
    drawing: html`${y.ticks(4).map((tick) => gridLine(y(tick), tick === 0))}${paths}`,
  })
}

interface Figure {
  readonly label: string
  readonly legend: ReadonlyArray<{ readonly look: string; readonly text: string; readonly value: string }>
  /** The numbers of sats at the top, the middle and the bottom of the scale. */
  readonly marks: readonly number[]
  readonly from: string
  readonly until: string
  readonly drawing: Html
}

function figure({ label, legend, marks, from, until, drawing }: Figure): Html {
  const entries = legend.map(
    ({ look, text, value }) => html`<span><i class="dot-${look}"></i>${text} <b>${value}</b></span>`,
  )
  return html`<div class="legend">${entries}</div>
<div class="chart"><div class="marks" aria-hidden="true">${marks.map((mark) => html`<span>${SHORT.format(mark)}</span>`)}</div>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">${drawing}</svg>
<div class="span" aria-hidden="true"><span>${from}</span><span>${until}</span></div></div>`
}

function gridLine(y: number, isZero: boolean): Html {
  return html`<path class="${isZero ? 'zero' : 'grid'}" d="M0 ${round(y)}H${WIDTH}"/>`
}

/** Returns the upper end, in sats, of a scale that has room for all of these amounts. */
function topOf(amounts: readonly bigint[]): number {
  const most = amounts.reduce((largest, amount) => (amount > largest ? amount : largest), MSATS_PER_SAT)
  return (
    scaleLinear([0, satsOf(most)], [0, 1])
      .nice(4)
      .domain()[1] ?? 1
  )
}

function satsOf(amount: bigint): number {
  return Number(amount) / Number(MSATS_PER_SAT)
}

function total(amounts: readonly bigint[]): string {
  return WHOLE.format(satsOf(amounts.reduce((sum, amount) => sum + amount, 0n)))
}

function round(place: number): string {
  return place.toFixed(1)
}
