import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { openDataFolder } from '../../lib/data-folder.ts'
import { withFiles } from '../../lib/file-trouble.ts'
import { Problem } from '../../lib/problem.ts'
import { NoArchive, untar } from '../../lib/tar.ts'
import { type BackupConfig, FILES_OF_BACKUPS } from './contents.ts'
import { restore } from './restore.ts'

/** The folder, within the data folder, of an uploaded backup until it is restored. */
const FOLDER = 'backup-that-came'

/**
 * Restores a backup from the pieces of an archive that a browser uploads to the console, and sets existing data aside.
 * The restored bot sends no payment before an operator permits it. Resolves to a report as text. Throws Problem if the
 * archive is not a complete backup or cannot be restored; the old data then stays in its place.
 */
export async function restoreUpload(
  config: BackupConfig,
  pieces: AsyncIterable<Uint8Array>,
  clock: Clock,
): Promise<string> {
  const folder = join(openDataFolder(config.dataFolder), FOLDER)
  const clear = () => rmSync(folder, { recursive: true, force: true })
  try {
    const again = 'restore again. Nothing was changed.'
    await withFiles('The backup could not be kept', again, async () => {
      clear()
      mkdirSync(folder, { mode: 0o700 })
      await unpack(pieces, folder)
    })
    const { at, files, setAside, toDo } = await restore(config, folder, { force: true, notPaused: false, clock })
    const aside = setAside.length > 0 ? ` The old data is in ${setAside.join(' and ')}.` : ''
    const attention = toDo.length > 0 ? ' The backup already needed attention: the first audit says of what.' : ''
    return `Restored ${files.join(', ')} as of ${at}; the books hold.${aside}${attention}`
  } finally {
    clear()
  }
}

async function unpack(pieces: AsyncIterable<Uint8Array>, folder: string): Promise<void> {
  try {
    await untar(pieces, {
      takes: (name) => FILES_OF_BACKUPS.includes(name),
      write: (name, piece) => appendFileSync(join(folder, name), piece, { mode: 0o600 }),
    })
  } catch (error) {
    if (!(error instanceof NoArchive)) throw error
    throw new Problem(
      `This is not a backup from the console: ${error.message}. Upload the file exactly as it was downloaded.`,
      {
        cause: error,
      },
    )
  }
}
