import { type Html, html } from '../../lib/http/html.ts'
import type { Translator } from '../i18n/translator.ts'
import { satsOf, whole } from '../pictures/figures.ts'
import { drawPng, heading, shade, WIDTH } from '../pictures/png.ts'

/** One line of a leaderboard, with the name as it is drawn. */
export interface Line {
  readonly name: string
  readonly amount: bigint
}

const MARGIN = 28
const ROW = 58
const TITLE = 74
const NAME_AT = MARGIN + 44
/** A name fades out before the sum begins, however wide its letters are. */
const WIDEST_NAME = 500
const FADE = 40
const BAR = 10
const MEDALS = [shade.orange, '#c0c4cc', '#b87333']

interface List {
  readonly title: string
  readonly lines: readonly Line[]
  readonly colour: string
}

/** Two lists of bars, one below the other: who tipped, who received. */
export function leaderboardPicture(
  { tippers, receivers }: { readonly tippers: readonly Line[]; readonly receivers: readonly Line[] },
  titles: { readonly tippers: string; readonly receivers: string },
  t: Translator,
): Promise<Buffer> {
  const lists = [
    { title: titles.tippers, lines: tippers, colour: shade.orange },
    { title: titles.receivers, lines: receivers, colour: shade.blue },
  ].filter(({ lines }) => lines.length > 0)
  let top = 16
  const drawn = lists.map((list) => {
    const at = top
    top += TITLE + list.lines.length * ROW + 12
    return drawList(list, at, t)
  })
  return drawPng(top + 12, [FADING, drawn])
}

/** Names are seen through this: their first part wholly, then less and less. */
const FADING = html`<linearGradient id="fade" gradientUnits="userSpaceOnUse" x1="${NAME_AT + WIDEST_NAME - FADE}" x2="${NAME_AT + WIDEST_NAME}"><stop offset="0" stop-color="white"/><stop offset="1" stop-color="black"/></linearGradient><mask id="names" maskUnits="userSpaceOnUse" x="0" y="0" width="${NAME_AT + WIDEST_NAME}" height="100000"><rect width="${NAME_AT + WIDEST_NAME}" height="100000" fill="url(#fade)"/></mask>`

function drawList({ title, lines, colour }: List, top: number, t: Translator): Html {
  // The longest bar ends a little before the edge, so that all are seen to be bars.
  const most = satsOf(lines[0]?.amount ?? 1n) * 1.02
  const rows = lines.map(({ name, amount }, place) => {
    const y = top + TITLE + place * ROW
    const width = Math.max(BAR, ((WIDTH - 2 * MARGIN) * satsOf(amount)) / most)
    const track = (length: number, fill: string) =>
      html`<rect x="${MARGIN}" y="${y + 31}" width="${length}" height="${BAR}" rx="${BAR / 2}" fill="${fill}"/>`
    return html`<text x="${MARGIN}" y="${y + 20}" fill="${MEDALS[place] ?? shade.faint}" font-weight="700">${place + 1}</text><g mask="url(#names)"><text x="${NAME_AT}" y="${y + 20}" fill="${shade.text}">${name}</text></g><text x="${WIDTH - MARGIN}" y="${y + 20}" fill="${shade.text}" font-weight="700" text-anchor="end">${whole(satsOf(amount), t)}</text>${track(WIDTH - 2 * MARGIN, shade.panel)}${track(width, colour)}`
  })
  return html`${heading(title, top + 42)}<g font-size="24">${rows}</g>`
}
