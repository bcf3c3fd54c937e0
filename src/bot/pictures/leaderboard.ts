import type { EChartsOption } from 'echarts'
import type { Words } from '../words.ts'
import { satsOf, whole } from './figures.ts'
import { chartPng, shade } from './png.ts'

/** One line of a leaderboard, with the name as it is drawn. */
export interface Line {
  readonly name: string
  readonly amount: bigint
}

const ROW = 58
const TITLE = 74
const WIDEST_NAME = 520
const MEDALS = [shade.orange, '#c0c4cc', '#b87333']

/** Two lists of bars, one below the other: who tipped, who received. */
export function leaderboardPicture(
  { tippers, receivers }: { readonly tippers: readonly Line[]; readonly receivers: readonly Line[] },
  titles: { readonly tippers: string; readonly receivers: string },
  words: Words,
): Promise<Buffer> {
  const lists = [
    { title: titles.tippers, lines: tippers, colour: shade.orange },
    { title: titles.receivers, lines: receivers, colour: shade.blue },
  ].filter(({ lines }) => lines.length > 0)
  let top = 16
  const grids = lists.map((list) => {
    const at = { ...list, top, height: list.lines.length * ROW }
    top += TITLE + at.height + 12
    return at
  })
  const option: EChartsOption = {
    title: grids.map(({ title, top: at }) => ({
      text: title,
      left: 28,
      padding: 0,
      top: at + 16,
      textStyle: { color: shade.text, fontSize: 30, fontWeight: 'bold' },
    })),
    grid: grids.map(({ top: at, height }) => ({ left: 28, right: 28, top: at + TITLE, height })),
    xAxis: grids.map(({ lines }, gridIndex) => ({
      gridIndex,
      type: 'value',
      show: false,
      // Room to the right of the longest bar.
      max: satsOf(lines[0]?.amount ?? 1n) * 1.02,
    })),
    yAxis: grids.map(({ lines }, gridIndex) => ({
      gridIndex,
      type: 'category',
      inverse: true,
      show: false,
      data: lines.map((_, index) => index),
    })),
    series: grids.flatMap(({ lines, colour }, index) => bars(lines, colour, index, words)),
  }
  return chartPng(top + 12, option)
}

/** A bar on its track; above it the place and the name, to the right the sum. */
function bars(lines: readonly Line[], colour: string, index: number, words: Words) {
  const most = satsOf(lines[0]?.amount ?? 1n) * 1.02
  const shared = { type: 'bar' as const, xAxisIndex: index, yAxisIndex: index, barWidth: 10, barGap: '-100%' }
  const label = {
    show: true,
    position: 'insideLeft' as const,
    offset: [0, -22] as [number, number],
    distance: 0,
    // Ends before the sum, however wide the letters are.
    width: WIDEST_NAME,
    overflow: 'truncate' as const,
  }
  return [
    {
      ...shared,
      silent: true,
      itemStyle: { color: shade.panel, borderRadius: 5 },
      data: lines.map(({ amount }) => ({
        value: most,
        label: {
          show: true,
          position: 'insideRight' as const,
          offset: [0, -22] as [number, number],
          distance: 0,
          formatter: whole(satsOf(amount), words),
          color: shade.text,
          fontSize: 24,
          fontWeight: 'bold' as const,
        },
      })),
    },
    {
      ...shared,
      itemStyle: { color: colour, borderRadius: 5 },
      data: lines.map(({ name, amount }, place) => ({
        value: satsOf(amount),
        label: {
          ...label,
          formatter: `{place|${place + 1}}{name|${name.replaceAll(/[{}|]/g, ' ')}}`,
          rich: {
            place: { color: MEDALS[place] ?? shade.faint, fontSize: 24, fontWeight: 'bold' as const, width: 44 },
            name: { color: shade.text, fontSize: 24 },
          },
        },
      })),
    },
  ]
}
