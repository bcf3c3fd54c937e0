import Database from 'better-sqlite3'
import { codeOf } from './sqlite-file.ts'

/**
 * The number of attempts to get the locks, and the pause after each attempt: half a minute in total. Other processes'
 * transactions take milliseconds.
 */
const TRIES = 6_000
const PAUSE_MS = 5

/**
 * Opens snapshots of several databases, all as of the same moment. Holds all write locks together only until the
 * snapshots are open, so everybody may write again when this function returns. The caller closes the snapshots. While
 * others hold a lock, blocks the thread for half a minute at most, then throws SQLite's error SQLITE_BUSY.
 */
export function openSnapshots(files: readonly string[], tries = TRIES): Database.Database[] {
  const locks: Database.Database[] = []
  const snapshots: Database.Database[] = []
  // Neither waits, so that none is held while another is waited for.
  const open = (file: string) => new Database(file, { fileMustExist: true, timeout: 0 })
  try {
    for (const file of files) locks.push(open(file))
    for (const file of files) snapshots.push(open(file))
    lockTogether(locks, tries)
    for (const snapshot of snapshots) {
      snapshot.exec('BEGIN')
      snapshot.prepare('SELECT COUNT(*) FROM sqlite_master').get()
    }
    return snapshots
  } catch (error) {
    for (const snapshot of snapshots) snapshot.close()
    throw error
  } finally {
    for (const lock of locks) lock.close()
  }
}

/**
 * Takes the write locks of all databases. Never waits for one lock while holding another, because a process that writes
 * to two of the databases could then end neither of its transactions.
 */
function lockTogether(databases: readonly Database.Database[], tries: number): void {
  for (let left = tries - 1; ; left -= 1) {
    try {
      for (const database of databases) database.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      for (const database of databases) if (database.inTransaction) database.exec('ROLLBACK')
      if (left <= 0 || !codeOf(error).startsWith('SQLITE_BUSY')) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
}
