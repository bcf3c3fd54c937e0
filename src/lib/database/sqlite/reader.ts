import Sqlite from 'better-sqlite3'
import { nextTurn } from '../../turns.ts'
import { type BookReader, type ReadRows, type ReadValue, ROWS_AT_ONCE } from '../engine/reader.ts'

const PRAGMAS = ['busy_timeout = 10000', 'temp_store = MEMORY', 'cache_size = -8192', 'query_only = ON']

/**
 * Returns a reader of a SQLite file. Each snapshot has its own connection; when that connection closes, the log can be
 * emptied again.
 */
export function readerOfFile(file: string): BookReader {
  return {
    async snapshot(look) {
      const database = new Sqlite(file, { fileMustExist: true })
      try {
        for (const pragma of PRAGMAS) database.pragma(pragma)
        database.exec('BEGIN')
        return await look(rowsOf(database))
      } finally {
        database.close()
      }
    },
    close: async () => {},
  }
}

function rowsOf(database: Sqlite.Database): ReadRows {
  return async function* read(sql, values = []) {
    const statement = database.prepare(sql).raw().safeIntegers()
    let batch: ReadValue[][] = []
    for (const row of statement.iterate(...values)) {
      batch.push(row as ReadValue[])
      if (batch.length < ROWS_AT_ONCE) continue
      yield batch
      batch = []
      await nextTurn()
    }
    yield batch
  }
}
