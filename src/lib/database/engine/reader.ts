/** A value as it is read: whole numbers, whatever their column, as bigint; texts; times as texts in ISO 8601. */
export type ReadValue = string | bigint | null

/**
 * The rows of a question, some thousands at a time: nobody has to hold all of them. `?` stands for each value. Between two of
 * these batches, other work of the process has its turn.
 */
export type ReadRows = (sql: string, values?: readonly (string | number)[]) => AsyncIterable<readonly ReadValue[][]>

/** Reads a book for long, on a connection of its own that cannot write, without Prisma. */
export interface BookReader {
  /** Everything that `look` reads belongs to one moment. */
  snapshot<T>(look: (rows: ReadRows) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The book that a reader reads. */
export interface ReadBook {
  readonly url: string
  /** Where the address came from: it names the book's schema on a server. */
  readonly variable: string
  /**
   * Whether results leave the reader only once they are durable (`postgres/flushes.ts`). Not where a stranger looks at
   * a book, whose server may be one that cannot write.
   */
  readonly durable: boolean
}

/** Rows in memory at once. */
export const ROWS_AT_ONCE = 2_000

/** All rows of a question, where they are few. */
export async function allRows(rows: AsyncIterable<readonly ReadValue[][]>): Promise<ReadValue[][]> {
  const all: ReadValue[][] = []
  for await (const batch of rows) all.push(...batch)
  return all
}

/** The same, row by row. */
export async function* each(rows: AsyncIterable<readonly ReadValue[][]>): AsyncGenerator<ReadValue[]> {
  for await (const batch of rows) yield* batch
}
