import { chmodSync } from 'node:fs'
import { serveThread } from '../../thread.ts'
import { emptyLog } from './empty-log.ts'
import { openSnapshots } from './snapshots.ts'

export interface DatabaseCopy {
  readonly from: string
  readonly to: string
}

/** The jobs of a thread that copies databases. */
export type CopyJobs = typeof jobs

const jobs = {
  async copy(copies: readonly DatabaseCopy[]): Promise<void> {
    const snapshots = openSnapshots(copies.map(({ from }) => from))
    try {
      for (const [i, { to }] of copies.entries()) {
        await snapshots[i]?.backup(to)
        chmodSync(to, 0o600)
      }
    } finally {
      for (const snapshot of snapshots) snapshot.close()
    }
    for (const { from } of copies) emptyLog(from)
  },
}

serveThread(() => jobs)
