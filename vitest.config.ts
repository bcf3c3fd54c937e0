import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'

/**
 * Hundreds of tests open databases that sync every commit to the disk. Where the machine keeps a file system in memory
 * with room to spare, they live there: what is tested is the same, and nobody waits for the disk.
 */
function folderForTemporaryFiles(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 2 ** 30 ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/heavy/**', 'test/browser/**', 'test/fuzz/**'],
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    env: { TMPDIR: folderForTemporaryFiles() },
  },
})
