import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { Problem } from '../../problem.ts'

/**
 * The size of the largest file that is checked at every start. Reading a file of this size takes about half a second.
 */
const LOOKED_THROUGH_UP_TO_BYTES = 64 * 1024 * 1024

/** The error for a file with pages that SQLite did not write. `code` is SQLite's own code for such a page. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile'
  readonly code = 'SQLITE_CORRUPT'
}

/** Whether a file is checked for damage when it is opened. `npm run audit` also checks larger files. */
export function isLookedThrough(file: string): boolean {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return bytes > 0 && bytes <= LOOKED_THROUGH_UP_TO_BYTES
}

/**
 * Opens a SQLite file that is not a book: the sandbox network's or the playground's. `:memory:` opens a database
 * without a file. If the file cannot be used, throws Problem with a sentence for the person who started the program.
 * `ifDamaged` is a clause with another remedy for a damaged file.
 */
export function openSqliteFile(
  file: string,
  pragmas: readonly string[],
  schema: string,
  ifDamaged = '',
): Database.Database {
  let database: Database.Database | undefined
  try {
    const known = isLookedThrough(file)
    database = new Database(file)
    if (known) mustBeWhole(database.pragma('quick_check(1)', { simple: true }))
    for (const pragma of pragmas) database.pragma(pragma)
    database.exec(schema)
    return database
  } catch (error) {
    database?.close()
    const why = `${whySqliteRefuses(error, file)}${isDamaged(error) ? ifDamaged : ''}`
    throw new Problem(`The file ${file} could not be opened: ${why}.`, { cause: error })
  }
}

/**
 * Throws DamagedFile unless SQLite's own check of a file found nothing. `found` is the first line of that check's
 * result.
 */
export function mustBeWhole(found: unknown): void {
  if (found !== 'ok') throw new DamagedFile(String(found))
}

/** Whether an error means that SQLite cannot read a file because of the file's contents. */
export function isDamaged(error: unknown): boolean {
  return /NOTADB|CORRUPT/.test(codeOf(error))
}

/**
 * Whether an error comes from the disk (full, failing, not writable) or from others' locks. The request is then not at
 * fault.
 */
export function isDiskTrouble(error: unknown): boolean {
  return /FULL|IOERR|READONLY|BUSY|LOCKED|CANTOPEN|ENOSPC/.test(codeOf(error))
}

/** Explains SQLite's error for a file, and the remedy, as a clause without a full stop at its end. */
export function whySqliteRefuses(error: unknown, file?: string): string {
  const code = codeOf(error)
  if (file !== undefined && statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    return 'there is a folder with that name. Move it away, or put the file back from a backup'
  }
  if (['EACCES', 'EROFS', 'EPERM'].includes(code) || /CANTOPEN|READONLY/.test(code)) {
    return 'there is no permission to write there. Make the folder writable for the user that runs Satchel'
  }
  if (isDamaged(error)) return 'it is not a SQLite database, or it is damaged. Restore a backup'
  if (code.includes('FULL') || code === 'ENOSPC') return 'the disk is full. Free some space'
  if (/BUSY|LOCKED/.test(code)) return 'another process keeps the database locked. Stop that process'
  if (code.includes('IOERR')) return `the disk is full or failing (${code}). Free some space, or replace the disk`
  return `${String(error)}. Look at the file`
}

/**
 * Returns the code that SQLite or the system assigned to an error, even if the database adapter or Prisma wrapped the
 * error; an empty text if there is none.
 */
export function codeOf(error: unknown): string {
  const { code, cause, meta } = (error ?? {}) as {
    code?: unknown
    cause?: { originalCode?: string }
    meta?: { driverAdapterError?: { cause?: { originalCode?: string } } }
  }
  return String(meta?.driverAdapterError?.cause?.originalCode ?? code ?? cause?.originalCode ?? '')
}
