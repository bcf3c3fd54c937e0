import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

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
