import { Sql } from '@prisma/client/runtime/client'

/** What a column can hold. */
export type SqlValue = string | number | bigint | boolean | Date | null

/**
 * Many rows as one parameter: a JSON array of arrays, taken apart by the database. However many rows there are, the
 * statement's text stays the same and only one value has to be bound. The one place that speaks SQLite's JSON.
 */

/** A table `alias` of rows with the named columns, to stand after FROM or JOIN. */
export function rowsAs(alias: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): Sql {
  const named = columns.map((column, i) => `"value" ->> ${i} AS "${column}"`)
  return new Sql([`(SELECT ${named.join(', ')} FROM json_each(`, `)) AS "${alias}"`], [jsonOf(rows)])
}

/** Inserts rows in their order. `tail` is what follows, such as ON CONFLICT. */
export function insertInto(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
  tail = '',
): Sql {
  const names = columns.map((column) => `"${column}"`).join(', ')
  const values = columns.map((_, i) => `"value" ->> ${i}`).join(', ')
  // WHERE keeps a following ON CONFLICT from being read as a join's ON.
  const head = `INSERT INTO "${table}" (${names}) SELECT ${values} FROM json_each(`
  return new Sql([head, `) WHERE true ORDER BY "key" ${tail}`], [jsonOf(rows)])
}

function jsonOf(rows: readonly (readonly SqlValue[])[]): string {
  return `[${rows.map((row) => `[${row.map(literal).join()}]`).join()}]`
}

/** Whole numbers of any size are written out; times as Prisma writes them, for it compares them as text. */
function literal(value: SqlValue): string {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Date) return `"${value.toISOString().replace('Z', '+00:00')}"`
  return JSON.stringify(value)
}
