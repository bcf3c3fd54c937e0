import Database from 'better-sqlite3'
import { Problem } from './problem.ts'

/**
 * Opens a SQLite file that is not one of the books: the sandbox network's, the playground's. `:memory:` for none. Throws
 * Problem with a sentence for whoever started the program when it cannot be used.
 */
export function openSqliteFile(file: string, pragmas: readonly string[], schema: string): Database.Database {
  let database: Database.Database | undefined
  try {
    database = new Database(file)
    for (const pragma of pragmas) database.pragma(pragma)
    database.exec(schema)
    return database
  } catch (error) {
    database?.close()
    throw new Problem(`The file ${file} could not be opened: ${whySqliteRefuses(error)}.`, { cause: error })
  }
}

/** What is wrong with a SQLite file and what to do about it: a clause without its full stop. */
export function whySqliteRefuses(error: unknown): string {
  const code = String(
    (error as { code?: unknown }).code ?? (error as { cause?: { originalCode?: string } }).cause?.originalCode ?? '',
  )
  if (['EACCES', 'EROFS', 'EPERM'].includes(code) || /CANTOPEN|READONLY/.test(code)) {
    return 'there is no permission to write there. Make the folder writable for the user that runs Satchel'
  }
  if (/NOTADB|CORRUPT/.test(code)) return 'it is not a SQLite database, or it is damaged. Restore a backup'
  if (code.includes('FULL') || code === 'ENOSPC') return 'the disk is full. Free some space'
  if (/BUSY|LOCKED/.test(code)) return 'another process keeps it locked. Stop that process'
  return `${String(error)}. Look at the file`
}
