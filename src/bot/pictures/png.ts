import { createRequire } from 'node:module'
import type { ResvgRenderOptions } from '@resvg/resvg-js'
import type { EChartsOption } from 'echarts'

const FAMILY = 'Inter'
/** Drawn in these units, twice as many pixels: sharp on a phone. */
const WIDTH = 800
const PIXELS = 1_600

/** Dark as Discord's own, so that the picture lies in the conversation without a frame. */
export const shade = {
  background: '#1e1f22',
  panel: '#2b2d31',
  line: '#3f4147',
  faint: '#949ba4',
  text: '#f2f3f5',
  orange: '#f7931a',
  amber: '#ffb64d',
  blue: '#5aa9e6',
  green: '#3ba55d',
  red: '#ed4245',
} as const

const require = createRequire(import.meta.url)
// Shipped with the program: a container has no fonts of its own.
const fontFiles = ['500Medium/Inter_500Medium.ttf', '700Bold/Inter_700Bold.ttf'].map((file) =>
  require.resolve(`@expo-google-fonts/inter/${file}`),
)

/** Draws a chart, with libraries that are loaded when the first one is. `height` in the chart's own units; the width is 800 of them. */
export async function chartPng(height: number, option: EChartsOption): Promise<Buffer> {
  const { init } = await import('echarts')
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height })
  try {
    const textStyle = { fontFamily: FAMILY, fontWeight: 500, color: shade.text, fontSize: 22 }
    chart.setOption({ animation: false, backgroundColor: shade.background, textStyle, ...option })
    return await rasterise(chart.renderToSVGString())
  } finally {
    // Or its timers would keep the process alive.
    chart.dispose()
  }
}

async function rasterise(svg: string): Promise<Buffer> {
  const options: ResvgRenderOptions = {
    fitTo: { mode: 'width', value: PIXELS },
    font: { loadSystemFonts: false, fontFiles, defaultFontFamily: FAMILY },
  }
  const { renderAsync } = await import('@resvg/resvg-js')
  return (await renderAsync(svg, options)).asPng()
}

/** Whether the font has these letters; a name in another script is written in another way. */
export function isDrawable(text: string): boolean {
  return (
    /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}]+$/u.test(text) &&
    !/\p{Extended_Pictographic}/u.test(text)
  )
}
