import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { Problem } from '../../lib/problem.ts'
import { tar } from '../../lib/tar.ts'
import { backUp } from './backup.ts'
import type { BackupConfig } from './contents.ts'

/** A backup that is being sent to a browser. */
export interface BackupDownload {
  /** The archive's name, for example `satchel-backup-2030-01-31T12-00-00Z.tar`. */
  readonly fileName: string
  readonly pieces: AsyncIterable<Buffer>
  /** Removes the download's temporary files. Call it after the download was sent or its reader left. */
  readonly end: () => void
}

/** The folder, within the data folder, of the backup that is being downloaded. */
const FOLDER = 'backup-to-download'

/**
 * Returns a function that makes a backup to be sent piece by piece. Only one download exists at a time, and its files
 * are in the data folder until its `end` is called. The function throws Problem if no backup can be made.
 */
export function createBackupDownloads(config: BackupConfig, clock: Clock): () => Promise<BackupDownload> {
  const folder = join(config.dataFolder, FOLDER)
  let present: object | undefined
  let removed = Promise.resolve()
  // A large file takes a while to remove, and this thread has other work. What stays is in the way of the next backup, which says so.
  const remove = () => {
    removed = removed.then(() => rm(folder, { recursive: true, force: true })).catch(() => undefined)
    return removed
  }
  return async () => {
    if (present !== undefined)
      throw new Problem('Another backup is being downloaded. Try again when that download has ended.')
    const mine = {}
    present = mine
    const end = () => {
      if (present !== mine) return
      void remove()
      present = undefined
    }
    try {
      // Remove what a killed process left.
      await remove()
      await backUp(config, folder, clock)
      const at = new Date(clock.now())
      const name = `satchel-backup-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
      const files = readdirSync(folder).map((each) => ({ name: `${name}/${each}`, path: join(folder, each) }))
      return { fileName: `${name}.tar`, pieces: tar(files, at), end }
    } catch (error) {
      end()
      throw error
    }
  }
}
