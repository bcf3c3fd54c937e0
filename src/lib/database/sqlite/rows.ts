import { Sql } from '@prisma/client/runtime/client'
import { jsonOf, type RowWords, type SqlValue } from '../engine/row-words.ts'

/** The SQL that passes rows to SQLite, as a JSON array of arrays. Only this file uses SQLite's JSON functions. */
export const sqliteRows: RowWords = {
  as: table,
  // Each column has its values' types.
  rowsOf: (_table, alias, columns, rows) => table(alias, columns, rows),
  insert(table, columns, rows) {
    const names = columns.map((column) => `"${column}"`).join(', ')
    const values = columns.map((_, i) => `"value" ->> ${i}`).join(', ')
    return new Sql(
      [`INSERT INTO "${table}" (${names}) SELECT ${values} FROM json_each(`, ') WHERE true ORDER BY "key"'],
      [arraysOf(rows)],
    )
  },
  // SQLite numbers a table's rows, so the last number is the count.
  everIn: (table) => new Sql([`SELECT max(rowid) AS "count" FROM "${table}"`], []),
  writesInWith: false,
}

function table(alias: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): Sql {
  const named = columns.map((column, i) => `"value" ->> ${i} AS "${column}"`)
  return new Sql([`(SELECT ${named.join(', ')} FROM json_each(`, `)) AS "${alias}"`], [arraysOf(rows)])
}

function arraysOf(rows: readonly (readonly SqlValue[])[]): string {
  return `[${rows.map((row) => `[${row.map(jsonOf).join()}]`).join()}]`
}
