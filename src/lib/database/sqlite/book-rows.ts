import Sqlite from 'better-sqlite3'
import { type BookRows, ROWS_AT_ONCE, type StoredValue } from '../engine/book-rows.ts'

const TABLES = `SELECT "name" FROM "sqlite_master" WHERE "type" = 'table' AND "name" NOT LIKE 'sqlite_%' AND "name" <> '_prisma_migrations' ORDER BY "name"`

/** Opens a SQLite file to read its rows, all in one transaction, which ends with `close`. */
export function rowsOfFile(file: string): BookRows {
  const database = new Sqlite(file, { fileMustExist: true, readonly: true })
  database.defaultSafeIntegers()
  database.exec('BEGIN')
  return {
    tables: database.prepare(TABLES).pluck().all() as string[],
    async *read(table) {
      const statement = database.prepare(`SELECT * FROM "${table}"`).raw()
      const columns = statement.columns().map(({ name }) => name)
      const rows: StoredValue[][] = []
      for (const row of statement.iterate()) {
        rows.push(row as StoredValue[])
        if (rows.length === ROWS_AT_ONCE) yield { columns, rows: rows.splice(0) }
      }
      yield { columns, rows }
    },
    close: async () => void database.close(),
  }
}

/**
 * Replaces all rows of a file with those of `from`, in one transaction. Removes the triggers until all rows are
 * written, because triggers would count or refuse rows.
 */
export async function fillFile(file: string, from: BookRows): Promise<void> {
  const database = new Sqlite(file, { fileMustExist: true })
  try {
    database.pragma('foreign_keys = OFF')
    database.pragma('synchronous = FULL')
    database.exec('BEGIN IMMEDIATE')
    const triggers = database.prepare(`SELECT "name", "sql" FROM "sqlite_master" WHERE "type" = 'trigger'`).all() as {
      name: string
      sql: string
    }[]
    for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`)
    for (const table of from.tables) database.exec(`DELETE FROM "${table}"`)
    for (const table of from.tables) {
      for await (const { columns, rows } of from.read(table)) {
        const names = columns.map((column) => `"${column}"`).join(', ')
        const insert = database.prepare(
          `INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
        )
        for (const row of rows) insert.run(...row)
      }
    }
    for (const { sql } of triggers) database.exec(sql)
    const broken = database.pragma('foreign_key_check') as unknown[]
    if (broken.length > 0) throw new Error(`${broken.length} rows refer to rows that do not exist`)
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}
