import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { codeOf, whySqliteRefuses } from './database/sqlite/sqlite-file.ts'
import { isFile } from './database/url-kinds.ts'
import { Problem } from './problem.ts'

/** Of many that start at once, each holds what the others need for a moment. */
const TIMEOUT_MS = 2_000

/** A connection that is forgotten is closed, and its lock is gone. */
const held = new Set<Database.Database>()

/**
 * Keeps a second process from working on the same book, whatever its data folder is: the lock is beside the file, by the name
 * that all links lead to. A book on a server has none: there `Ownership` keeps processes apart. Throws Problem while another process
 * has it, and where the file has a second name. Returns what gives it back.
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
      ? `The book ${file} is in use by another process, perhaps with another data folder. Stop that one first.`
      : `The book ${file} could not be locked: ${whySqliteRefuses(error)}.`
    throw new Problem(why, { cause: error })
  }
}

/** SQLite's log, and the lock here, go by the file's name: under another name a process sees neither, and ruins the book. */
function refuseSecondName(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  // A folder has names of its own. That it is not a book, who opens it says.
  if (found === undefined || !found.isFile() || found.nlink <= 1) return
  throw new Problem(
    `The book ${file} has ${found.nlink} names (hard links), and processes that use it by different names would ruin it. A hard link is no backup either: npm run backup makes one. Stop what runs, remove the other names (find FOLDER -samefile ${file} shows them), and try again. Nothing was changed.`,
  )
}

function whereItIs(file: string): string {
  return existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file))
}

/**
 * Keeps a second process from working on the same data. The kernel holds the lock (a POSIX lock on `name-lock.sqlite`,
 * one file for each name), so it is gone with its process however that ends, and it also binds processes in other
 * containers on the same volume. The files stay: to remove one would let a second process lock a new file of the same
 * name. Takes all names or none. Throws Problem while another process has one. Returns what gives them back.
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

/** An exclusive transaction that never ends and writes nothing. */
function lockFile(file: string): Database.Database {
  // SQLite waits without letting anything else run: what this very process holds is not given back meanwhile.
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
    ? `The data in ${folder} is in use by another process, here or in another container. Stop that one first`
    : `The data folder ${folder} could not be locked: ${whySqliteRefuses(error)}`
  return new Problem(`${why}, or name another folder in DATA_FOLDER.`, { cause: error })
}
