import Database from 'better-sqlite3'
import { codeOf } from './sqlite-file.ts'

/**
 * How often the locks are tried, and the pause after each try, which make half a minute in total. Other processes'
 * transactions take milliseconds.
 */
const TRIES = 6_000
const PAUSE_MS = 5

/**
 * Opens snapshots of several databases, all as of the same moment. Holds all write locks together just long enough, so
 * everybody may write as soon as it returns. The caller closes the snapshots. Blocks its thread for half a minute at
 * most while others hold a lock, then throws SQLite's SQLITE_BUSY.
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
 * Never waits for one lock while holding another: a process that writes to two of the databases could then end neither
 * transaction.
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
