/**
 * A value as SQLite stores it: whole numbers, texts, times as ISO texts, 0 and 1 for a boolean. Values that engines
 * hand to each other.
 */
export type StoredValue = string | bigint | null

/** All rows of a book as they are at one moment. */
export interface BookRows {
  /** The names of its tables, without the record of migrations. */
  readonly tables: readonly string[]
  /** The rows of a table, some thousands at a time, with the names of their columns. */
  read(table: string): AsyncIterable<{ readonly columns: readonly string[]; readonly rows: readonly StoredValue[][] }>
  close(): Promise<void>
}

/** Rows in memory at once. */
export const ROWS_AT_ONCE = 2_000
