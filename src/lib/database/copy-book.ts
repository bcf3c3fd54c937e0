import type { BookRows } from './engine/book-rows.ts'
import { readAddress } from './postgres/address.ts'
import { fillBook, rowsOfBooks } from './postgres/book-rows.ts'
import { fillFile, rowsOfFile } from './sqlite/book-rows.ts'
import { fileOfUrl } from './sqlite/engine.ts'
import { isFile } from './url-kinds.ts'

/** The place of a book. The book was opened before, so it has the same structure as every other. */
export interface BookPlace {
  readonly url: string
  readonly variable: string
}

export interface BookCopy {
  readonly from: BookPlace
  readonly to: BookPlace
}

/**
 * Copies all rows of each book, as of one moment, into another book, whose rows they replace. The engines of the two
 * may differ. Several PostgreSQL books are copied as of the same moment.
 */
export async function copyBooks(copies: readonly BookCopy[]): Promise<void> {
  const files = copies.filter(({ from }) => isFile(from.url))
  const served = copies.filter(({ from }) => !isFile(from.url))
  const opened = await rowsOfBooks(served.map(({ from }) => readAddress(from)))
  opened.push(...files.map(({ from }) => rowsOfFile(fileOfUrl(from))))
  try {
    for (const [i, { to }] of [...served, ...files].entries()) {
      const rows = opened[i] as BookRows
      await (isFile(to.url) ? fillFile(fileOfUrl(to), rows) : fillBook(readAddress(to), rows))
    }
  } finally {
    for (const rows of opened) await rows.close()
  }
}

/** Tables that have rows in every new book, because the migrations create them. */
const FROM_THE_START = ['BookNode', 'RoutingFee', 'PaymentTotal', '_commits']

/** Returns the name of a table with rows; undefined if the book has not been used. */
export async function usedTable(place: BookPlace): Promise<string | undefined> {
  const [rows] = isFile(place.url) ? [rowsOfFile(fileOfUrl(place))] : await rowsOfBooks([readAddress(place)])
  if (rows === undefined) return undefined
  try {
    for (const table of rows.tables.filter((name) => !FROM_THE_START.includes(name))) {
      for await (const { rows: found } of rows.read(table)) if (found.length > 0) return table
    }
    return undefined
  } finally {
    await rows.close()
  }
}
