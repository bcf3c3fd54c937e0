/** PDF's own fonts, which every reader has. They contain only Western European letters. */
const FONTS = { plain: 'Helvetica', bold: 'Helvetica-Bold', code: 'Courier-Bold' } as const
export type PdfFont = keyof typeof FONTS

/** The size of A4, in points of 1/72 inch. */
export const PAGE = { width: 595, height: 842 } as const

/** Whether PDF's own fonts contain every letter of a text. */
export function isPrintable(text: string): boolean {
  return /^[\x20-\x7e\xa1-\xff]*$/.test(text)
}

/**
 * A page in PDF's drawing language (ISO 32000-1). Coordinates are in points from the upper left corner. Everything is
 * ASCII, so a document is a text.
 */
export class PdfPage {
  readonly #parts: string[] = []

  get content(): string {
    return this.#parts.join('\n')
  }

  /** Writes a line of text. `y` is the position of the baseline. Shrinks the text to fit into `width`. */
  text(text: string, { x, y, size, width, font = 'plain' }: PdfText): void {
    const fits = Math.min(size, width / (text.length * EM[font]))
    this.#parts.push(
      `BT /${font} ${points(fits)} Tf ${points(x)} ${points(PAGE.height - y)} Td (${escaped(text)}) Tj ET`,
    )
  }

  /** Draws a dashed line. */
  dashed(x1: number, y1: number, x2: number, y2: number): void {
    const [from, to] = [PAGE.height - y1, PAGE.height - y2].map(points)
    this.#parts.push(`0.7 G 0.4 w [2 3] 0 d ${points(x1)} ${from} m ${points(x2)} ${to} l S`)
  }

  /** Draws a square picture of `size` by `size` dots, black where `isDark`. */
  dots(size: number, isDark: (row: number, column: number) => boolean, { x, y, side }: PdfSquare): void {
    let bits = ''
    for (let row = 0; row < size; row += 1) bits += hexOf(size, (column) => isDark(row, column))
    const place = `${points(side)} 0 0 ${points(side)} ${points(x)} ${points(PAGE.height - y - side)}`
    // In a mask, a 0 bit is painted.
    const picture = `/W ${size} /H ${size} /BPC 1 /IM true /F /AHx`
    this.#parts.push(`q 0 g ${place} cm BI ${picture} ID ${bits}> EI Q`)
  }
}

interface PdfText {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly width: number
  readonly font?: PdfFont
}

interface PdfSquare {
  readonly x: number
  readonly y: number
  readonly side: number
}

/** The greatest average width of a letter in a word, as a fraction of the font's size. */
const EM: Readonly<Record<PdfFont, number>> = { plain: 0.56, bold: 0.6, code: 0.6 }

/** Converts one row of a mask to hex, padded to whole bytes. */
function hexOf(size: number, isDark: (column: number) => boolean): string {
  let hex = ''
  for (let first = 0; first < size; first += 8) {
    let byte = 0
    for (let bit = 0; bit < 8; bit += 1) {
      const column = first + bit
      byte = byte * 2 + (column < size && isDark(column) ? 0 : 1)
    }
    hex += byte.toString(16).padStart(2, '0')
  }
  return hex
}

function points(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/**
 * Escapes a PDF text, with characters beyond ASCII in octal (WinAnsi has the letters of Latin-1 in the same places).
 * The caller must check that there are no other letters.
 */
function escaped(text: string): string {
  return Array.from(text, (letter) => {
    const code = letter.codePointAt(0) ?? 0
    if ('()\\'.includes(letter)) return `\\${letter}`
    if (!isPrintable(letter)) return '?'
    return code < 0x80 ? letter : `\\${code.toString(8)}`
  }).join('')
}

/** Builds a document of these pages, with the fonts that they use. */
export function pdfOf(pages: readonly PdfPage[], title: string): string {
  const fonts = Object.entries(FONTS)
  const firstPage = 4 + fonts.length
  const kids = pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ')
  const named = fonts.map(([name], index) => `/${name} ${4 + index} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    `<< /Title (${escaped(title)}) /Producer (Satchel) >>`,
    ...fonts.map(([, font]) => `<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`),
    ...pages.flatMap(({ content }, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /Font << ${named} >> >> /Contents ${firstPage + 2 * index + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ]
  return withTable(objects)
}

/** Returns a document of these objects, with the table of their offsets in bytes. */
function withTable(objects: readonly string[]): string {
  let text = '%PDF-1.4\n'
  const places: string[] = []
  for (const [index, object] of objects.entries()) {
    places.push(`${String(text.length).padStart(10, '0')} 00000 n \n`)
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  const size = objects.length + 1
  return `${text}xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${size} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
}
