import type { Database } from 'better-sqlite3'
import { codeOf } from './sqlite-file.ts'

/** How often the locks are tried, and the pause after a try: half a minute. Other processes' transactions take milliseconds. */
const TRIES = 6_000
const PAUSE_MS = 5

/**
 * Takes the write locks of several databases, whose connections must not wait (`timeout: 0`). Never waits for one lock
 * with another in hand: a process that writes to two of them could then end neither transaction. Blocks its thread for
 * half a minute at most, then throws SQLite's SQLITE_BUSY.
 */
export function lockTogether(databases: readonly Database[], tries = TRIES): void {
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
