import type { EChartsOption } from 'echarts'
import type { Words } from '../words.ts'
import { moment, satsOf, short } from './figures.ts'
import { chartPng, shade } from './png.ts'

const HEIGHT = 520

/** How much was tipped, bar by bar. */
export function statsPicture(
  bars: readonly { readonly from: Date; readonly amount: bigint }[],
  unit: 'hour' | 'day' | 'month',
  title: string,
  words: Words,
): Promise<Buffer> {
  const most = bars.reduce((all, { amount }) => (amount > all ? amount : all), 0n)
  const option: EChartsOption = {
    title: heading(title),
    grid: { left: 24, right: 32, top: 96, bottom: 20, containLabel: true },
    xAxis: {
      type: 'category',
      data: bars.map(({ from }) => moment(from, unit, words)),
      axisLine: { lineStyle: { color: shade.line } },
      axisTick: { show: false },
      axisLabel: { color: shade.faint, fontSize: 20, hideOverlap: true },
    },
    yAxis: amounts(words),
    series: [
      {
        type: 'bar',
        data: bars.map(({ amount }) => ({ value: satsOf(amount), label: { show: amount > 0n && amount === most } })),
        barCategoryGap: '28%',
        label: {
          position: 'top',
          color: shade.text,
          fontSize: 22,
          fontWeight: 'bold',
          backgroundColor: shade.background,
          padding: [2, 6],
          formatter: ({ value }) => short(Number(value), words),
        },
        itemStyle: { color: shade.orange, borderRadius: [6, 6, 0, 0] },
      },
    ],
  }
  return chartPng(HEIGHT, option)
}

export function heading(text: string) {
  return {
    text,
    left: 28,
    top: 30,
    padding: 0,
    textStyle: { color: shade.text, fontSize: 30, fontWeight: 'bold' as const },
  }
}

/** The axis of sums, which begins at zero and has whole steps. */
export function amounts(words: Words) {
  return {
    type: 'value' as const,
    min: 0,
    minInterval: 1,
    splitNumber: 4,
    splitLine: { lineStyle: { color: shade.line, type: 'dashed' as const } },
    axisLabel: { color: shade.faint, fontSize: 20, formatter: (value: number) => short(value, words) },
  }
}
