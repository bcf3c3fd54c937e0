/**
 * A value as SQLite stores it: whole numbers, texts, times as ISO texts, 0 and 1 for a boolean. Engines exchange values
 * in this form.
 */
export type StoredValue = string | bigint | null

/** All rows of a book as of one moment. */
export interface BookRows {
  /** The names of the book's tables, without the record of migrations. */
  readonly tables: readonly string[]
  /** Yields a table's rows, some thousands at a time, with the names of their columns. */
  read(table: string): AsyncIterable<{ readonly columns: readonly string[]; readonly rows: readonly StoredValue[][] }>
  close(): Promise<void>
}

/** The most rows in memory at a time. */
export const ROWS_AT_ONCE = 2_000
