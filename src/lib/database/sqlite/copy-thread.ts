import { chmodSync } from 'node:fs'
import Database from 'better-sqlite3'
import { serveThread } from '../../thread.ts'
import { emptyLog } from './empty-log.ts'
import { lockTogether } from './lock-together.ts'

export interface DatabaseCopy {
  readonly from: string
  readonly to: string
}

/** The jobs of a thread that copies databases. */
export type CopyJobs = typeof jobs

const jobs = {
  async copy(copies: readonly DatabaseCopy[]): Promise<void> {
    const opened: Database.Database[] = []
    const open = (file: string) => {
      const database = new Database(file, { fileMustExist: true, timeout: 0 })
      opened.push(database)
      return database
    }
    try {
      const locks = copies.map(({ from }) => open(from))
      const snapshots = copies.map(({ from }) => open(from))
      lockTogether(locks)
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
  },
}

serveThread(() => jobs)
