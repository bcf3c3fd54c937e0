import type { Sql } from '@prisma/client/runtime/client'

/** The values of a column. */
export type SqlValue = string | number | bigint | boolean | Date | null

/**
 * How an engine takes many rows as one parameter: JSON that the database takes apart. However many rows there are, the
 * statement's text stays the same and only one value has to be bound.
 */
export interface RowWords {
  /** A table `alias` of rows with the named columns, to stand after FROM or JOIN. */
  as(alias: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): Sql
  /** The same for columns of a table, with their types. */
  rowsOf(table: string, alias: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): Sql
  /** Inserts rows in their order. */
  insert(table: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): Sql
  /** Selects, as "count", how many rows a table has of which none was ever deleted. */
  everIn(table: string): Sql
  /** Whether a WITH may hold statements that write. */
  readonly writesInWith: boolean
}

/**
 * A text as every engine can store and compare it. PostgreSQL has no NUL and no half of a surrogate pair, and refuses the whole
 * statement, and all other rows in it. Both become U+FFFD, as in other UTF-8: no name or id has that, so such a text is found nowhere.
 */
export function storable(text: string): string {
  return text.includes('\0') || !text.isWellFormed() ? text.replaceAll('\0', '\ufffd').toWellFormed() : text
}

/** A value in JSON. Whole numbers of any size are written out; times as Prisma writes them for SQLite, which compares them as text. */
export function jsonOf(value: SqlValue): string {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Date) return `"${value.toISOString().replace('Z', '+00:00')}"`
  return JSON.stringify(typeof value === 'string' ? storable(value) : value)
}
