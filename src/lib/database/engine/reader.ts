/** A value as it is read: whole numbers from any column as bigint; texts; times as ISO 8601 texts. */
export type ReadValue = string | bigint | null

/**
 * Yields a query's rows, some thousands at a time, so that they need not all be in memory. `?` stands for each value.
 * Between two batches, the process can do other work.
 */
export type ReadRows = (sql: string, values?: readonly (string | number)[]) => AsyncIterable<readonly ReadValue[][]>

/** Reads a book for a long time, on a separate connection that cannot write, without Prisma. */
export interface BookReader {
  /** Runs `look`. Everything that `look` reads belongs to one moment. */
  snapshot<T>(look: (rows: ReadRows) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The book that a reader opens. */
export interface ReadBook {
  readonly url: string
  /** The variable that contained the address. Its name determines the book's schema on a server. */
  readonly variable: string
  /**
   * Whether the reader returns results only after they are durable (`postgres/flushes.ts`). False for an inspection,
   * because the book's server may be unable to write.
   */
  readonly durable: boolean
}

/** The most rows in memory at a time. */
export const ROWS_AT_ONCE = 2_000

/** Returns all rows of a query with few results. */
export async function allRows(rows: AsyncIterable<readonly ReadValue[][]>): Promise<ReadValue[][]> {
  const all: ReadValue[][] = []
  for await (const batch of rows) all.push(...batch)
  return all
}

/** Yields a query's rows one by one. */
export async function* each(rows: AsyncIterable<readonly ReadValue[][]>): AsyncGenerator<ReadValue[]> {
  for await (const batch of rows) yield* batch
}
