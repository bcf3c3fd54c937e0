import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Returns the folder for temporary files: one in memory, if more than `room` bytes are free there. Hundreds of tests
 * open databases that sync every commit to the disk; in memory the tests are the same, and nobody waits for the disk.
 */
export function folderForTemporaryFiles(room = 2 ** 30): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > room ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}

/**
 * Returns a folder for the temporary files of one test run. The folder is removed when this process ends, since the
 * files of killed test processes would fill the memory.
 */
export function folderOfRun(): string {
  const folder = mkdtempSync(join(folderForTemporaryFiles(), 'satchel-tests-'))
  // PostgreSQL never runs as root, so its user must be able to pass.
  chmodSync(folder, 0o711)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}
