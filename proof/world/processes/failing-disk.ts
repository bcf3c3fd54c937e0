import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A process's disk that fails on request. */
export interface FailingDisk {
  /** The variables for the process's environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Makes syncs of this file fail from now on. */
  fail(file: string): void
  heal(): void
}

/** Returns whether disks can be made to fail here, which requires Linux and a C compiler. */
export function disksCanFail(): boolean {
  return process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0
}

const SOURCE = join(import.meta.dirname, 'failing-disk.c')

/**
 * Compiles into `folder` the library that makes disks fail. Returns a function that makes the failing disk of a
 * process, by its name.
 */
export function failingDisks(folder: string): (name: string) => FailingDisk {
  const library = join(folder, 'failing-disk.so')
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE, '-ldl'])
  return (name) => {
    const order = join(folder, `${name}.failing`)
    return {
      environment: { LD_PRELOAD: library, FAILING_DISK: order },
      fail: (file) => writeFileSync(order, file),
      heal: () => rmSync(order, { force: true }),
    }
  }
}
