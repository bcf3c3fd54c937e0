import { PNG } from 'pngjs'

const GAP = 12
/** The approximate height of a sheet; a higher one is hard to read on a screen. */
const HEIGHT = 1_500
const BACKGROUND = 0x80_80_80_ff

interface Placed {
  readonly picture: PNG
  readonly x: number
  readonly y: number
}

/** Arranges PNGs of about the same width beside and below each other, in order, on as few sheets as possible. */
export function contactSheets(pictures: readonly Buffer[], columns: number): Buffer[] {
  const parts = pictures.map((picture) => PNG.sync.read(picture))
  const width = Math.max(...parts.map((part) => part.width)) + GAP
  const sheets: Placed[][] = []
  let heights: number[] = []
  for (const picture of parts) {
    const lowest = heights.indexOf(Math.min(...heights))
    if (sheets.length === 0 || (heights[lowest] ?? 0) + picture.height > HEIGHT) {
      if (sheets.length === 0 || Math.max(...heights) > 0) {
        sheets.push([])
        heights = Array.from({ length: columns }, () => 0)
      }
    }
    const column = heights.indexOf(Math.min(...heights))
    sheets.at(-1)?.push({ picture, x: column * width, y: heights[column] ?? 0 })
    heights[column] = (heights[column] ?? 0) + picture.height + GAP
  }
  return sheets.map((placed) => draw(placed, columns * width))
}

function draw(placed: readonly Placed[], width: number): Buffer {
  const height = Math.max(...placed.map(({ picture, y }) => y + picture.height))
  const sheet = new PNG({ width, height })
  for (let at = 0; at < sheet.data.length; at += 4) sheet.data.writeUInt32BE(BACKGROUND, at)
  for (const { picture, x, y } of placed) PNG.bitblt(picture, sheet, 0, 0, picture.width, picture.height, x, y)
  return PNG.sync.write(sheet)
}
