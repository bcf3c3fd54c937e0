import { createHash } from 'node:crypto'
import { NewestNames } from '../../lib/newest-names.ts'
import { html } from '../../lib/web/html.ts'
import { drawPng, shade, WIDTH } from '../pictures/png.ts'

const HEIGHT = 200
const COLOURS = [shade.amber, shade.blue, shade.text, shade.orange]
/** The pictures of recent sums. A card is drawn again each time a share is taken, with the same picture. */
const drawn = new NewestNames<Promise<Buffer>>(50)

/**
 * Draws a sum such as `61 + 73` as a picture for people, with every character turned, moved and coloured, and with
 * strokes across. Text recognition can read the picture, but a simple script that presses the button cannot. Equal sums
 * always have equal pictures.
 */
export function sumPicture(question: string): Promise<Buffer> {
  const known = drawn.get(question)
  if (known !== undefined) return known
  const picture = draw(question)
  drawn.set(question, picture)
  picture.catch(() => drawn.delete(question))
  return picture
}

function draw(question: string): Promise<Buffer> {
  const chance = chanceOf(question)
  const signs = [...question.replaceAll(' ', '')]
  const step = (WIDTH - 160) / signs.length
  const letters = signs.map((sign, index) => {
    const [x, y] = [80 + step * (index + 0.5) + chance(-14, 14), HEIGHT / 2 + 34 + chance(-18, 18)]
    const colour = COLOURS[Math.floor(chance(0, COLOURS.length))] ?? shade.text
    const turn = `rotate(${chance(-24, 24).toFixed(1)} ${x.toFixed(1)} ${(y - 34).toFixed(1)})`
    return html`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" transform="${turn}" text-anchor="middle" fill="${colour}" font-size="${chance(84, 108).toFixed(0)}" font-weight="700">${sign}</text>`
  })
  const strokes = Array.from({ length: 6 }, (_, index) => {
    const [from, bend, to] = [chance(20, HEIGHT - 20), chance(-60, HEIGHT + 60), chance(20, HEIGHT - 20)]
    const colour = COLOURS[index % COLOURS.length] ?? shade.faint
    return html`<path d="M0 ${from.toFixed(1)}Q${chance(200, 600).toFixed(1)} ${bend.toFixed(1)} ${WIDTH} ${to.toFixed(1)}" fill="none" stroke="${colour}" stroke-width="3" opacity="0.7"/>`
  })
  return drawPng(HEIGHT, [letters, strokes])
}

/** Returns a generator of numbers between two bounds, seeded with a text. */
function chanceOf(text: string): (least: number, most: number) => number {
  let count = 0
  return (least, most) => {
    count += 1
    const part = createHash('sha256').update(`${text} ${count}`).digest().readUInt32BE(0) / 2 ** 32
    return least + part * (most - least)
  }
}
