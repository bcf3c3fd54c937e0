import { plainSats } from '../../lib/csv.ts'
import { isPrintable, PAGE, PdfPage, pdfOf } from '../../lib/pdf.ts'
import { utcMinute } from '../../lib/utc-minute.ts'
import type { ExportedPoolLine } from '../../tipping/tipping.ts'

/** A pool's month: its balance at both ends, and the moves in between. */
export interface Statement {
  /** The month in UTC, such as `2030-01`. */
  readonly month: string
  readonly opening: bigint
  readonly closing: bigint
  readonly lines: readonly ExportedPoolLine[]
  /** The sums of the moves by type, in the order of first occurrence. */
  readonly sums: readonly StatementSum[]
}

interface StatementSum {
  readonly what: string
  readonly moves: number
  /** The sum in msats; negative for outgoing sums. */
  readonly amount: bigint
}

/** Reads a typed month. Returns undefined if the text is not a month. */
export function readMonth(typed: string): string | undefined {
  const month = typed.trim()
  return /^20\d\d-(?:0[1-9]|1[0-2])$/.test(month) ? month : undefined
}

/** Builds a month's statement from all moves that a pool ever had, oldest first. */
export function statementOf(all: readonly ExportedPoolLine[], month: string): Statement {
  const monthOf = ({ at }: ExportedPoolLine) => at.toISOString().slice(0, month.length)
  const opening = all.findLast((line) => monthOf(line) < month)?.balance ?? 0n
  const lines = all.filter((line) => monthOf(line) === month)
  const sums = new Map<string, StatementSum>()
  for (const { what, amount } of lines) {
    const before = sums.get(what) ?? { what, moves: 0, amount: 0n }
    sums.set(what, { what, moves: before.moves + 1, amount: before.amount + amount })
  }
  return { month, opening, closing: lines.at(-1)?.balance ?? opening, lines, sums: [...sums.values()] }
}

const MARGIN = 40
const LINE_HEIGHT = 14
const LINES_PER_PAGE = Math.floor((PAGE.height - 2 * MARGIN) / LINE_HEIGHT)
/** The position and width of each column, for the moves and for their sums. */
const COLUMNS = [
  [MARGIN, 88],
  [132, 62],
  [200, 72],
  [278, 78],
  [362, 62],
  [430, PAGE.width - MARGIN - 430],
] as const

type Cells = readonly [cells: readonly string[], isHeading?: true]

/**
 * Builds the printable statement: sums first, then every move. The columns have the same names as in the CSV, in every
 * language.
 */
export function statementPdf(statement: Statement): string {
  const { month, opening, closing, lines, sums } = statement
  const title = `Pool statement ${month} (UTC)`
  const rows: Cells[] = [
    [[title], true],
    [[]],
    [['', 'what', 'sats', 'moves'], true],
    [['', 'opening', plainSats(opening)]],
    ...sums.map(({ what, moves, amount }): Cells => [['', what, plainSats(amount), String(moves)]]),
    [['', 'closing', plainSats(closing)], true],
    [[]],
    [['time', 'what', 'sats', 'pool_sats', 'value', 'reason'], true],
    ...lines.map(({ at, what, amount, balance, worth, reason }): Cells => {
      const value = worth === undefined ? '' : `${worth.value} ${worth.currency}`
      return [[utcMinute(at), what, plainSats(amount), plainSats(balance), value, printable(reason ?? '')]]
    }),
  ]
  const pages: PdfPage[] = []
  for (let first = 0; first < rows.length; first += LINES_PER_PAGE) {
    const page = new PdfPage()
    for (const [row, cells] of rows.slice(first, first + LINES_PER_PAGE).entries()) drawRow(page, row, cells)
    pages.push(page)
  }
  return pdfOf(pages, title)
}

function drawRow(page: PdfPage, row: number, [cells, isHeading]: Cells): void {
  const y = MARGIN + (row + 1) * LINE_HEIGHT
  const font = isHeading ? 'bold' : 'plain'
  const size = cells.length === 1 ? 13 : 8
  for (const [column, cell] of cells.entries()) {
    const [x, width] = COLUMNS[column] ?? COLUMNS[0]
    if (cell !== '') page.text(cell, { x, y, size, width: cells.length === 1 ? 400 : width, font })
  }
}

const MAX_REASON = 40

/** Shortens a reason, or refers to the CSV if a PDF's fonts lack one of its letters. The CSV has the full reasons. */
function printable(reason: string): string {
  const short = reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON - 3)}...` : reason
  return isPrintable(short) ? short : '(see the CSV)'
}
