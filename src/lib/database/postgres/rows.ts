import { Sql } from '@prisma/client/runtime/client'
import { jsonOf, type RowWords, type SqlValue } from '../engine/row-words.ts'

/**
 * The SQL that passes rows to PostgreSQL, as a JSON array of objects. Inserted values have the types of the table's
 * columns.
 */
export const postgresRows: RowWords = {
  as(alias, columns, rows) {
    const types = columns.map((column, i) => `"${column}" ${typeOf(rows.map((row) => row[i]))}`)
    return new Sql(
      ['json_to_recordset(CAST(', ` AS json)) AS "${alias}"(${types.join(', ')})`],
      [objectsOf(columns, rows)],
    )
  },
  rowsOf(table, alias, columns, rows) {
    const texts = [`json_populate_recordset(NULL::"${table}", CAST(`, ` AS json)) AS "${alias}"`]
    return new Sql(texts, [objectsOf(columns, rows)])
  },
  insert(table, columns, rows) {
    const names = columns.map((column) => `"${column}"`).join(', ')
    const head = `INSERT INTO "${table}" (${names}) SELECT ${names} FROM json_populate_recordset(NULL::"${table}", CAST(`
    return new Sql([head, ' AS json))'], [objectsOf(columns, rows)])
  },
  everIn: (table) => new Sql([`SELECT count(*) AS "count" FROM "${table}"`], []),
  writesInWith: true,
}

/** Returns a column's type, judged by the column's first value that is not null. */
function typeOf(values: readonly (SqlValue | undefined)[]): string {
  const value = values.find((each) => each !== null && each !== undefined)
  if (typeof value === 'number' || typeof value === 'bigint') return 'bigint'
  if (typeof value === 'boolean') return 'boolean'
  return value instanceof Date ? 'timestamp(3)' : 'text'
}

function objectsOf(columns: readonly string[], rows: readonly (readonly SqlValue[])[]): string {
  const names = columns.map((column) => JSON.stringify(column))
  return `[${rows.map((row) => `{${names.map((name, i) => `${name}:${jsonOf(row[i] ?? null)}`).join()}}`).join()}]`
}
