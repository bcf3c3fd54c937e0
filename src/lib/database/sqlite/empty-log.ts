import Database from 'better-sqlite3'

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
