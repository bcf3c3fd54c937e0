import { Sql } from '@prisma/client/runtime/client'
import type { Row } from './change.ts'

/**
 * A statement with a list of rows in it: `head (?, ?), (?, ?) tail`. Standard SQL, valid on SQLite and PostgreSQL;
 * values are always parameters. With `bare`, single values stand without parentheses, as in `IN (?, ?)`.
 */
export function valuesList(
  head: string,
  rows: readonly (readonly unknown[])[],
  tail: string,
  options: { bare?: boolean } = {},
): Sql {
  const [open, close] = options.bare ? ['', ''] : ['(', ')']
  const texts: string[] = []
  const values: unknown[] = []
  let pending = head
  rows.forEach((row, i) => {
    pending += i === 0 ? open : `, ${open}`
    row.forEach((value, j) => {
      if (j > 0) pending += ', '
      texts.push(pending)
      values.push(value)
      pending = ''
    })
    pending += close
  })
  texts.push(pending + tail)
  return new Sql(texts, values)
}

/** One insert for rows of one table with the same columns. */
export function insertRows(rows: readonly Row[]): Sql {
  const [first] = rows
  if (!first) throw new Error('no rows to insert')
  const columns = Object.keys(first.values)
  const head = `INSERT INTO "${first.table}" (${columns.map((column) => `"${column}"`).join(', ')}) VALUES `
  return valuesList(
    head,
    rows.map((row) => columns.map((column) => row.values[column])),
    '',
  )
}
