import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Hundreds of tests open databases that sync every commit to the disk. Where the machine keeps a file system in memory
 * with `room` to spare (bytes), they live there: what is tested is the same, and nobody waits for the disk.
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
 * A folder for the temporary files of one run of tests. It ends with this process: what a test's process leaves behind
 * when it is killed would fill the memory.
 */
export function folderOfRun(): string {
  const folder = mkdtempSync(join(folderForTemporaryFiles(), 'satchel-tests-'))
  // A server of PostgreSQL never runs as root: its user has to get through.
  chmodSync(folder, 0o711)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}
