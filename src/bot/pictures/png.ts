import type { ResvgRenderOptions } from '@resvg/resvg-js'
import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import { fontFilesFor } from './fonts.ts'

const FAMILY = 'Inter'
/** The width of a picture in drawing units. A picture has twice as many pixels, so that it is sharp on a phone. */
export const WIDTH = 800
const PIXELS = 1_600

/**
 * The colours of pictures, which are dark like Discord. On a light page, a picture looks like a card, because its round
 * corners are transparent.
 */
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

/** Draws SVG elements as a PNG, 800 units wide and `height` units high. The first picture loads the drawing library. */
export async function drawPng(height: number, content: HtmlPart): Promise<Buffer> {
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="${FAMILY}" font-weight="500" font-size="20"><rect width="100%" height="100%" rx="16" fill="${shade.background}"/>${content}</svg>`
  const options: ResvgRenderOptions = {
    fitTo: { mode: 'width', value: PIXELS },
    font: { loadSystemFonts: false, fontFiles: fontFilesFor(svg.text), defaultFontFamily: FAMILY },
  }
  const { renderAsync } = await import('@resvg/resvg-js')
  return (await renderAsync(svg.text, options)).asPng()
}

/** Draws the heading of a picture, or of a part of a picture. `baseline` is the height of the letters' baseline. */
export function heading(title: string, baseline: number): Html {
  return html`<text x="28" y="${baseline}" fill="${shade.text}" font-size="30" font-weight="700">${title}</text>`
}
