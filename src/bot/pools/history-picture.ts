import { type Html, html } from '../../lib/web/html.ts'
import type { PoolLine } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { amountAxis, bar, layOut, nameAxis, type Plot } from '../pictures/axes.ts'
import { moment, satsOf } from '../pictures/figures.ts'
import { drawPng, heading, shade } from '../pictures/png.ts'

const HEIGHT = 620
/** Both parts begin at the same place, with room for sums like "1,234.5K". */
const LEFT = 124
const DAY_MS = 24 * 3_600_000

/** A pool's day: income, spending, and the balance at the end. */
export interface PoolDay {
  readonly day: Date
  readonly in: bigint
  readonly out: bigint
  readonly balance: bigint
}

/**
 * Returns days (UTC), oldest first. `lines` are newest first, as they are read. `balance` is the pool's present
 * balance.
 */
export function poolDays(lines: readonly PoolLine[], balance: bigint, now: Date, days: number): PoolDay[] {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const found: PoolDay[] = []
  let held = balance
  for (let ago = 0; ago < days; ago += 1) {
    const begins = today - ago * DAY_MS
    const moved = lines.filter(({ at }) => at.getTime() >= begins && at.getTime() < begins + DAY_MS)
    const sum = (sign: 1 | -1) =>
      moved.reduce((all, { amount }) => (Math.sign(Number(amount)) === sign ? all + amount : all), 0n)
    found.push({ day: new Date(begins), in: sum(1), out: sum(-1), balance: held })
    held -= sum(1) + sum(-1)
  }
  return found.reverse()
}

/** Draws a pool's balance as a line, with income and spending as bars below it. */
export function poolPicture(
  days: readonly PoolDay[],
  titles: { readonly balance: string; readonly flow: string },
  t: Translator,
): Promise<Buffer> {
  const balances = days.map(({ balance }) => satsOf(balance))
  const came = days.map((day) => satsOf(day.in))
  const went = days.map((day) => satsOf(day.out))
  const held = layOut({ top: 92, bottom: 312, left: LEFT }, days.length, balances, t)
  const flow = layOut({ top: 412, bottom: 562, left: LEFT }, days.length, [...came, ...went], t, 3)
  const names = days.map(({ day }) => moment(day, 'day', t))
  return drawPng(HEIGHT, [
    heading(titles.balance, 58),
    amountAxis(held, t),
    line(held, balances),
    heading(titles.flow, 388),
    amountAxis(flow, t),
    nameAxis(flow, names),
    came.map((sum, index) => bar(flow, index, sum, shade.green)),
    went.map((sum, index) => bar(flow, index, sum, shade.red)),
  ])
}

/** Draws a step for each day, from edge to edge. */
function line({ left, right, bottom, y }: Plot, sums: readonly number[]): Html {
  const width = (right - left) / sums.length
  const steps = sums.map((sum, index) => `V${y(sum)}H${left + (index + 1) * width}`).join('')
  return html`<path d="M${left} ${bottom}${steps}V${bottom}Z" fill="${shade.orange}" opacity="0.22"/><path d="M${left} ${y(sums[0] ?? 0)}${steps}" fill="none" stroke="${shade.orange}" stroke-width="5" stroke-linejoin="round"/>`
}
