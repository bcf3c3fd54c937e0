import Database from 'better-sqlite3'
import { startThread } from '../../thread.ts'
import type { CopyJobs, DatabaseCopy } from './copy-thread.ts'
import { isDamaged } from './sqlite-file.ts'

/**
 * Copies SQLite databases, all as of the same moment, while others write to them. Holds all write locks together just
 * long enough to open a snapshot of each database, then copies the snapshots while everybody continues to write. Works
 * in a separate thread, because this thread could not end its own transactions while it waited for their locks. Only
 * the user that runs this process can read the copies. Throws SQLite's error, with its code.
 */
export async function copyDatabases(copies: readonly DatabaseCopy[]): Promise<void> {
  const thread = startThread<CopyJobs>(new URL('./copy-thread.ts', import.meta.url), undefined)
  try {
    await thread.ask('copy', copies)
  } finally {
    await thread.close()
  }
}

/**
 * Whether another connection, in this process or another, has a database open. Nobody may open the database during the
 * check.
 */
export function isInUse(file: string): boolean {
  const database = new Database(file, { fileMustExist: true, timeout: 0 })
  try {
    // Only a connection that is alone may leave the write-ahead log. The next connection returns to it.
    return database.pragma('journal_mode = DELETE', { simple: true }) !== 'delete'
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return true
    // Nobody can use a damaged database.
    if (isDamaged(error)) return false
    throw error
  } finally {
    database.close()
  }
}
