import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFile } from '../database/url-kinds.ts'
import type { Logger } from '../logger.ts'
import type { LastOwner } from './ownership.ts'

/** Returns the file of this part (`bot` or `service`) in a data folder. Its name is older than the word *owner*. */
export function lastOwnerFile(folder: string, name: string): string {
  return join(folder, `${name}-lease.json`)
}

/**
 * Stores this process's id in a data folder whose lock it holds (`lockFolder`). The kernel gives the lock only after
 * the previous process is dead. So everything that one owned is free at once, and nobody has to wait until its lease
 * ends.
 *
 * The note names the lock's file by its place on the disk and its creation time. In a copy of the folder, made file by
 * file, the note proves nothing: the original's process may still run. A clone of a whole disk, or a network's file
 * system without locks, can end the lease of a living process. That process is then like a frozen one: the book refuses
 * its writes.
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

/** Does the same for the book with this address. Undefined for a file, because the process with its lock is alone. */
export function lastOwnerOn(url: string, folder: string, name: string, logger: Logger): LastOwner | undefined {
  return isFile(url) ? undefined : lastOwnerIn(folder, name, logger)
}

/** Returns undefined if there is no valid note. */
function read(file: string, lock: () => string): string | undefined {
  try {
    const { holder, lock: noted } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return typeof holder === 'string' && noted === lock() ? holder : undefined
  } catch {
    return undefined
  }
}
