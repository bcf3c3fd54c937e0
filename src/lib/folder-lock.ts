import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { codeOf, whySqliteRefuses } from './database/sqlite/sqlite-file.ts'
import { isFile } from './database/url-kinds.ts'
import { Problem } from './problem.ts'

/** How long to wait for a lock. When many processes start at once, each briefly holds locks that the others need. */
const TIMEOUT_MS = 2_000

/**
 * The connections that hold this process's locks. If one were garbage-collected, it would be closed, which would
 * release its lock.
 */
const held = new Set<Database.Database>()

/**
 * Prevents a second process from using the same book, even with another data folder: the lock is beside the file, under
 * the name to which all links lead. A book on a server needs no lock, because `Ownership` separates processes there.
 * Throws Problem while another process has the lock, and if the file has a second name. Returns a function that
 * releases the lock.
 */
export function lockBook(url: string): () => void {
  if (!isFile(url)) return () => undefined
  const file = url.slice('file:'.length)
  refuseSecondName(file)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return lockAll([`${whereItIs(file)}-lock.sqlite`])
  } catch (error) {
    const why = isBusy(error)
      ? `The book ${file} is in use by another process, perhaps with another data folder. Stop that process first.`
      : `The book ${file} could not be locked: ${whySqliteRefuses(error)}.`
    throw new Problem(why, { cause: error })
  }
}

/**
 * Throws Problem if a book's file has a second name. SQLite's log and this lock depend on the name, so a process that
 * uses another name sees neither of them, and ruins the book.
 */
function refuseSecondName(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  // A folder has several names anyway. The function that opens it reports that it is not a book.
  if (found === undefined || !found.isFile() || found.nlink <= 1) return
  throw new Problem(
    `The book ${file} has ${found.nlink} names (hard links), and processes that use it by different names would corrupt it. A hard link is not a backup either: to make a backup, use npm run backup. Stop every process that uses the book, remove the other names (find FOLDER -samefile ${file} shows them), and try again. Nothing was changed.`,
  )
}

function whereItIs(file: string): string {
  return existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file))
}

/**
 * Prevents a second process from using the same data. The kernel holds the lock (a POSIX lock on `name-lock.sqlite`,
 * one file for each name), so the lock always ends with its process, and also applies to processes in other containers
 * on the same volume. The files stay: if one were removed, a second process could lock a new file of the same name.
 * Locks all names or none. Throws Problem while another process has locked one of the names. Returns a function that
 * releases the locks.
 */
export function lockFolder(folder: string, ...names: readonly string[]): () => void {
  try {
    return lockAll(names.map((name) => join(folder, `${name}-lock.sqlite`)))
  } catch (error) {
    throw explain(error, folder)
  }
}

function lockAll(files: readonly string[]): () => void {
  const locks: Database.Database[] = []
  const unlock = () => {
    for (const lock of locks.splice(0)) {
      held.delete(lock)
      lock.close()
    }
  }
  try {
    for (const file of files) locks.push(lockFile(file))
  } catch (error) {
    unlock()
    throw error
  }
  for (const lock of locks) held.add(lock)
  return unlock
}

function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

/** Opens an exclusive transaction that writes nothing and lasts until the connection is closed. */
function lockFile(file: string): Database.Database {
  // SQLite blocks everything else while it waits, so this process cannot release its own lock meanwhile.
  const isOurs = [...held].some(({ name }) => name === file)
  const database = new Database(file, { timeout: isOurs ? 0 : TIMEOUT_MS })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function explain(error: unknown, folder: string): Problem {
  const why = isBusy(error)
    ? `The data in ${folder} is in use by another process, here or in another container. Stop that process first`
    : `The data folder ${folder} could not be locked: ${whySqliteRefuses(error)}`
  return new Problem(`${why}, or set DATA_FOLDER to another folder.`, { cause: error })
}
