import { type Html, html } from '../../lib/web/html.ts'
import type { PoolLine } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { amountAxis, bar, layOut, nameAxis, type Plot } from '../pictures/axes.ts'
import { moment, satsOf } from '../pictures/figures.ts'
import { drawPng, heading, shade } from '../pictures/png.ts'

const HEIGHT = 620
/** The left edge of both plots, which leaves room for sums such as "1,234.5K". */
const LEFT = 124
const DAY_MS = 24 * 3_600_000

/** One day of a pool. Income, returns and spending add up to the change of the pool's balance. */
export interface PoolDay {
  readonly day: Date
  /** The sum that people put in. */
  readonly in: bigint
  /** The sum that came back from gifts. */
  readonly returned: bigint
  /** The sum that was given or set aside; negative. */
  readonly out: bigint
  /** The balance at the end of the day. */
  readonly balance: bigint
}

/**
 * Returns the latest days (UTC) of a pool, oldest first. `lines` are the pool's moves, and `balance` is its present
 * balance.
 */
export function poolDays(lines: readonly PoolLine[], balance: bigint, now: Date, days: number): PoolDay[] {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const found: PoolDay[] = []
  let held = balance
  for (let ago = 0; ago < days; ago += 1) {
    const begins = today - ago * DAY_MS
    const moved = lines.filter(({ at }) => at.getTime() >= begins && at.getTime() < begins + DAY_MS)
    const sum = (way: Way) => moved.reduce((all, line) => (wayOf(line) === way ? all + line.amount : all), 0n)
    const day = { in: sum('in'), returned: sum('returned'), out: sum('out') }
    found.push({ day: new Date(begins), ...day, balance: held })
    held -= day.in + day.returned + day.out
  }
  return found.reverse()
}

type Way = 'in' | 'returned' | 'out'

/**
 * Returns the direction of a move. An approved sum counts as spending, because it cancels the earlier move that set the
 * sum aside, and is given immediately.
 */
function wayOf({ what, amount }: PoolLine): Way {
  if (what === 'approved' || amount < 0n) return 'out'
  return what === 'returned' ? 'returned' : 'in'
}

/**
 * Draws a pool's balance as a line, and, in a second plot below, bars: spending in red, income in green, and returns
 * above the income in blue.
 */
export function poolPicture(
  days: readonly PoolDay[],
  titles: { readonly balance: string; readonly flow: string },
  t: Translator,
): Promise<Buffer> {
  const balances = days.map(({ balance }) => satsOf(balance))
  const came = days.map((day) => satsOf(day.in))
  const cameAndReturned = days.map((day) => satsOf(day.in + day.returned))
  const went = days.map((day) => satsOf(day.out))
  const held = layOut({ top: 92, bottom: 312, left: LEFT }, days.length, balances, t)
  const flow = layOut({ top: 412, bottom: 562, left: LEFT }, days.length, [...cameAndReturned, ...went], t, 3)
  const names = days.map(({ day }) => moment(day, 'day', t))
  return drawPng(HEIGHT, [
    heading(titles.balance, 58),
    amountAxis(held, t),
    line(held, balances),
    heading(titles.flow, 388),
    amountAxis(flow, t),
    nameAxis(flow, names),
    cameAndReturned.map((sum, index) => sum !== came[index] && bar(flow, index, sum, shade.blue)),
    came.map((sum, index) => bar(flow, index, sum, shade.green)),
    went.map((sum, index) => bar(flow, index, sum, shade.red)),
  ])
}

/** Draws the line of a plot, with a step for each day, from edge to edge. */
function line({ left, right, bottom, y }: Plot, sums: readonly number[]): Html {
  const width = (right - left) / sums.length
  const steps = sums.map((sum, index) => `V${y(sum)}H${left + (index + 1) * width}`).join('')
  return html`<path d="M${left} ${bottom}${steps}V${bottom}Z" fill="${shade.orange}" opacity="0.22"/><path d="M${left} ${y(sums[0] ?? 0)}${steps}" fill="none" stroke="${shade.orange}" stroke-width="5" stroke-linejoin="round"/>`
}
