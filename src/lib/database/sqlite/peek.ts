import { statSync } from 'node:fs'
import Database from 'better-sqlite3'

/** Whether a file is missing or empty. */
export function isNoFile(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0
}

/**
 * Queries a SQLite file without changing it, even while others use it. Returns undefined if the file is missing, empty
 * or unreadable; starting the program shows the reason.
 */
export function peek(file: string, sql: string): readonly Record<string, unknown>[] | undefined {
  if (isNoFile(file)) return undefined
  try {
    const database = new Database(file, { fileMustExist: true, timeout: 5_000 })
    try {
      database.pragma('query_only = ON')
      return database.prepare(sql).all() as Record<string, unknown>[]
    } finally {
      database.close()
    }
  } catch {
    return undefined
  }
}
