import type { Sql } from '@prisma/client/runtime/client'

/** A value of a column. */
export type SqlValue = string | number | bigint | boolean | Date | null

/**
 * The SQL with which an engine accepts many rows as one parameter: JSON that the database unpacks. For any number of
 * rows, the statement's text stays the same, and only one value is bound.
 */
export interface RowWords {
  /** Returns a table `alias` of rows with the named columns, to follow FROM or JOIN. */
  as(alias: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): Sql
  /** Returns such a table of rows whose columns have the types of the columns of `table`. */
  rowsOf(table: string, alias: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): Sql
  /** Returns a statement that inserts rows in their order. */
  insert(table: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): Sql
  /**
   * Returns a query that selects, as "count", the number of rows in a table, of which none may ever have been deleted.
   */
  everIn(table: string): Sql
  /** Whether a WITH may contain writing statements. */
  readonly writesInWith: boolean
}

/**
 * Converts a text to one that every engine can store and compare. PostgreSQL accepts neither a NUL nor half of a
 * surrogate pair, and otherwise refuses the whole statement with all its other rows. Both become U+FFFD, as in other
 * UTF-8. No name or id contains this character, so such a text is never found.
 */
export function storable(text: string): string {
  return text.includes('\0') || !text.isWellFormed() ? text.replaceAll('\0', '\ufffd').toWellFormed() : text
}

/**
 * Converts a value to JSON. Whole numbers of any size are written out, and times as Prisma writes them for SQLite,
 * which compares them as text.
 */
export function jsonOf(value: SqlValue): string {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Date) return `"${value.toISOString().replace('Z', '+00:00')}"`
  return JSON.stringify(typeof value === 'string' ? storable(value) : value)
}
