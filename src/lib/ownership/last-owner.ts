import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFile } from '../database/url-kinds.ts'
import type { Logger } from '../logger.ts'
import type { LastOwner } from './ownership.ts'

/**
 * Returns the path of the file of a part (`bot` or `service`) in a data folder. The file's name is older than the word
 * *owner*.
 */
export function lastOwnerFile(folder: string, name: string): string {
  return join(folder, `${name}-lease.json`)
}

/**
 * Returns the previous process's id from a note in a data folder, with a function that notes this process's id there.
 * This process must hold the folder's lock (`lockFolder`). The kernel grants the lock only after the previous process
 * is dead. So everything that the previous process owned is free at once, and nobody has to wait until its lease ends.
 *
 * The note identifies the lock's file by device, inode and creation time, so in a copy of the folder that was made file
 * by file, the note is ignored: the original's process may still run. On a clone of a whole disk, or on a network file
 * system without locks, the lease of a living process can be ended. The book then refuses that process's writes, like
 * those of a frozen process.
 */
export function lastOwnerIn(folder: string, name: string, logger: Logger): LastOwner {
  const file = lastOwnerFile(folder, name)
  const lock = () => {
    const { dev, ino, birthtimeNs } = statSync(join(folder, `${name}-lock.sqlite`), { bigint: true })
    return `${dev}:${ino}:${birthtimeNs}`
  }
  return {
    id: read(file, lock),
    note(holder) {
      try {
        writeFileSync(`${file}.new`, `${JSON.stringify({ holder, lock: lock() })}\n`, { mode: 0o600 })
        renameSync(`${file}.new`, file)
      } catch (error) {
        logger.warn(
          { err: error },
          'the id of this process could not be stored: after a kill, the next start waits until its lease ends',
        )
      }
    },
  }
}

/**
 * Does the same as `lastOwnerIn` for a process on the book with this address. Returns undefined for a book in a file,
 * because the process that holds the file's lock is alone.
 */
export function lastOwnerOn(url: string, folder: string, name: string, logger: Logger): LastOwner | undefined {
  return isFile(url) ? undefined : lastOwnerIn(folder, name, logger)
}

/** Returns the id in the note; undefined if there is no valid note. */
function read(file: string, lock: () => string): string | undefined {
  try {
    const { holder, lock: noted } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return typeof holder === 'string' && noted === lock() ? holder : undefined
  } catch {
    return undefined
  }
}
