import { chmodSync } from 'node:fs'
import Database from 'better-sqlite3'
import { isDamaged } from './sqlite-file.ts'

export interface DatabaseCopy {
  readonly from: string
  readonly to: string
}

/** The longest that a commit waits for a lock. Other processes' transactions take milliseconds. */
const TIMEOUT_MS = 30_000

/**
 * Copies SQLite databases, all as of the same moment, while other processes write to them. Holds all write locks
 * together just long enough to open a snapshot of each. Then it copies the snapshots while everybody continues to
 * write. Only this user can read the copies.
 */
export async function copyDatabases(copies: readonly DatabaseCopy[]): Promise<void> {
  const opened: Database.Database[] = []
  const open = (file: string) => {
    const database = new Database(file, { fileMustExist: true, timeout: TIMEOUT_MS })
    opened.push(database)
    return database
  }
  try {
    const locks = copies.map(({ from }) => open(from))
    const snapshots = copies.map(({ from }) => open(from))
    for (const lock of locks) lock.exec('BEGIN IMMEDIATE')
    for (const snapshot of snapshots) {
      snapshot.exec('BEGIN')
      snapshot.prepare('SELECT COUNT(*) FROM sqlite_master').get()
    }
    for (const lock of locks) lock.exec('ROLLBACK')
    for (const [i, { to }] of copies.entries()) {
      await snapshots[i]?.backup(to)
      chmodSync(to, 0o600)
    }
  } finally {
    for (const database of opened) database.close()
  }
  for (const { from } of copies) emptyLog(from)
}

/** Moves a database's log into the database as far as readers permit, without waiting. */
export function emptyLog(file: string): void {
  const database = new Database(file, { fileMustExist: true, timeout: 0 })
  try {
    database.pragma('synchronous = FULL')
    database.pragma('wal_checkpoint(PASSIVE)')
  } finally {
    database.close()
  }
}

/** Whether another connection has a database open, in this process or another. Nobody may open it during the check. */
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
