import { stringify } from 'csv-stringify/sync'
import { msats } from './money/amount.ts'

/**
 * Formats a table as CSV (RFC 4180). People's text must pass through `harmless` first. Without a byte-order mark, Excel
 * would not read the file as UTF-8. A table that contains only ASCII needs no such mark.
 */
export function csvOf(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  { bom = true }: { readonly bom?: boolean } = {},
): string {
  return stringify([columns, ...rows], { bom, record_delimiter: 'windows' })
}

/** Formats sats without separators: `1234.567`, `-5`. */
export function plainSats(amount: bigint): string {
  const [sign, positive] = amount < 0n ? ['-', msats(-amount)] : ['', msats(amount)]
  const fraction = String(positive % 1_000n)
    .padStart(3, '0')
    .replace(/0+$/, '')
  return `${sign}${positive / 1_000n}${fraction === '' ? '' : `.${fraction}`}`
}

/**
 * The places where a spreadsheet would begin to read a formula: at the start of a cell, including a cell that begins
 * inside the text, because spreadsheets split at semicolons, tabs or line ends (Excel does if the decimal mark is a
 * comma). The pattern includes the East Asian forms of the characters that begin a formula.
 */
const FORMULA_START = /(^|[;\t\r\n])([\s"']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** Escapes people's text, so that no spreadsheet runs it as a formula. */
export function harmless(text: string): string {
  return text.replace(/^[\t\r]/, "'$&").replaceAll(FORMULA_START, "$1$2'")
}
