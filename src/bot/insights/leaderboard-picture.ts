import { type Html, html } from '../../lib/web/html.ts'
import type { Translator } from '../i18n/translator.ts'
import { lettersWide, satsOf, short } from '../pictures/figures.ts'
import { drawPng, shade, WIDTH } from '../pictures/png.ts'

/** One line of a leaderboard, with the name as it is drawn. */
export interface Line {
  readonly name: string
  readonly amount: bigint
}

/**
 * The size of the letters, which are still ten pixels high on a phone, where Discord shows pictures 320 pixels wide.
 */
const LETTERS = 26
const MARGIN = 20
const GAP = 20
const ROW = 46
const BAR = 40
const TITLE = 62
const NAME_AT = 48
/** The approximate width of a sum's digit. */
const FIGURE = 15
const FADE = 32
const MEDALS = [shade.orange, '#c0c4cc', '#b87333']

interface List {
  readonly title: string
  readonly lines: readonly Line[]
  readonly colour: string
}

interface Column {
  readonly left: number
  readonly width: number
}

/** Draws two lists side by side: who gave most, and who received most. A single list gets the whole width. */
export function leaderboardPicture(
  { tippers, receivers }: { readonly tippers: readonly Line[]; readonly receivers: readonly Line[] },
  titles: { readonly tippers: string; readonly receivers: string },
  t: Translator,
): Promise<Buffer> {
  const lists = [
    { title: titles.tippers, lines: tippers, colour: shade.orange },
    { title: titles.receivers, lines: receivers, colour: shade.blue },
  ].filter(({ lines }) => lines.length > 0)
  const width = (WIDTH - 2 * MARGIN - GAP * (lists.length - 1)) / lists.length
  const drawn = lists.map((list, index) => drawList(list, { left: MARGIN + index * (width + GAP), width }, t))
  const rows = Math.max(...lists.map(({ lines }) => lines.length))
  return drawPng(TITLE + rows * ROW + MARGIN, drawn)
}

function drawList({ title, lines, colour }: List, { left, width }: Column, t: Translator): Html {
  const most = satsOf(lines[0]?.amount ?? 1n)
  const id = `names-${left}`
  const sums = lines.map(({ amount }) => short(satsOf(amount), t))
  // A name fades out before the sums begin, however wide its letters are.
  const end = left + width - 22 - FIGURE * Math.max(...sums.map(lettersWide))
  const rows = lines.map(({ name, amount }, place) => {
    const y = TITLE + place * ROW
    const foot = y + 29
    // The length is the share of the first one. The bar lies behind the name, so name and sum have the whole width.
    const bar = (length: number, opacity: number) =>
      html`<rect x="${left}" y="${y}" width="${length}" height="${BAR}" rx="8" fill="${colour}" fill-opacity="${opacity}"/>`
    return html`${bar(width, 0.08)}${bar(Math.max(8, (width * satsOf(amount)) / most), 0.3)}<text x="${left + 12}" y="${foot}" fill="${MEDALS[place] ?? shade.faint}" font-weight="700">${place + 1}</text><g mask="url(#${id})"><text x="${left + NAME_AT}" y="${foot}" fill="${shade.text}">${name}</text></g><text x="${left + width - 10}" y="${foot}" fill="${shade.text}" font-weight="700" text-anchor="end">${sums[place]}</text>`
  })
  return html`${fading(id, end)}<text x="${left}" y="42" fill="${shade.text}" font-size="24" font-weight="700">${title}</text><g font-size="${LETTERS}">${rows}</g>`
}

/** Builds the mask that lets long names fade out before `end`. */
function fading(id: string, end: number): Html {
  return html`<linearGradient id="${id}-fade" gradientUnits="userSpaceOnUse" x1="${end - FADE}" x2="${end}"><stop offset="0" stop-color="white"/><stop offset="1" stop-color="black"/></linearGradient><mask id="${id}" maskUnits="userSpaceOnUse" x="0" y="0" width="${end}" height="10000"><rect width="${end}" height="10000" fill="url(#${id}-fade)"/></mask>`
}
