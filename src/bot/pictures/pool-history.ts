import type { EChartsOption } from 'echarts'
import type { PoolLine } from '../../tipping/tipping.ts'
import type { Words } from '../words.ts'
import { moment, satsOf } from './figures.ts'
import { chartPng, shade } from './png.ts'
import { amounts, heading } from './stats.ts'

const HEIGHT = 620
const DAY_MS = 24 * 3_600_000

/** A day of a pool: what came, what went, what it held at its end. */
export interface PoolDay {
  readonly day: Date
  readonly in: bigint
  readonly out: bigint
  readonly balance: bigint
}

/** Days (UTC), the oldest first; `lines` newest first, as they are read. `balance` is what the pool holds now. */
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

/** What the pool held, as a line; what came and went, as bars below it. */
export function poolPicture(
  days: readonly PoolDay[],
  titles: { readonly balance: string; readonly flow: string },
  words: Words,
): Promise<Buffer> {
  const labels = days.map(({ day }) => moment(day, 'day', words))
  const axis = (gridIndex: number, show: boolean) => ({
    gridIndex,
    type: 'category' as const,
    data: labels,
    axisLine: { lineStyle: { color: shade.line }, onZero: false },
    axisTick: { show: false },
    axisLabel: { show, color: shade.faint, fontSize: 20, hideOverlap: true },
  })
  const option: EChartsOption = {
    title: [heading(titles.balance), { ...heading(titles.flow), top: 360 }],
    grid: [
      { left: 124, right: 32, top: 92, height: 220 },
      { left: 124, right: 32, top: 412, height: 150 },
    ],
    xAxis: [axis(0, false), axis(1, true)],
    yAxis: [
      { ...amounts(words), gridIndex: 0 },
      { ...amounts(words), gridIndex: 1, min: undefined, splitNumber: 2 },
    ],
    series: [
      {
        type: 'line',
        step: 'middle',
        data: days.map(({ balance }) => satsOf(balance)),
        symbol: 'none',
        lineStyle: { color: shade.orange, width: 5 },
        areaStyle: { color: shade.orange, opacity: 0.22 },
      },
      flow(
        days.map((day) => satsOf(day.in)),
        shade.green,
        [5, 5, 0, 0],
      ),
      flow(
        days.map((day) => satsOf(day.out)),
        shade.red,
        [0, 0, 5, 5],
      ),
    ],
  }
  return chartPng(HEIGHT, option)
}

function flow(data: readonly number[], color: string, borderRadius: number[]) {
  return {
    type: 'bar' as const,
    xAxisIndex: 1,
    yAxisIndex: 1,
    stack: 'flow',
    barCategoryGap: '30%',
    data: [...data],
    itemStyle: { color, borderRadius },
  }
}
