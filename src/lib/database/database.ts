import { engineOf } from './choose-engine.ts'
import type {
  Book,
  Database,
  DatabaseOptions,
  InspectableClient,
  InspectedDatabase,
  PrismaLike,
} from './engine/engine.ts'
import type { BookReader, ReadBook, ReadRows } from './engine/reader.ts'

export type { Database, InspectedDatabase } from './engine/engine.ts'
export { fileOfUrl, recognizeFile } from './sqlite/engine.ts'

/**
 * Opens a book, updates it and verifies its constraints. Throws DatabaseProblem with a sentence for a person if the
 * address is wrong, the database cannot be reached or written, is not a database or is damaged, or its structure is
 * wrong.
 */
export async function openDatabase<Client extends PrismaLike>(
  options: DatabaseOptions<Client>,
): Promise<Database<Client>> {
  return (await engineOf(options)).open(options)
}

/** Opens a book for inspection. Throws DatabaseProblem if there is no book, or the file is not a database. */
export async function inspectDatabase<Tx, Client extends InspectableClient<Tx>>(
  book: Book<Client>,
): Promise<InspectedDatabase<Tx>> {
  return (await engineOf(book)).inspect(book)
}

/** Opens a reader for long readings. The book was opened before, so its structure is correct. */
export async function openReader({ durable, ...book }: ReadBook): Promise<BookReader> {
  return (await engineOf(book)).reader(book, durable)
}

/** Reads a book once. Everything that `look` reads belongs to one moment. */
export async function readBook<T>(book: ReadBook, look: (rows: ReadRows) => Promise<T>): Promise<T> {
  const reader = await openReader(book)
  try {
    return await reader.snapshot(look)
  } finally {
    await reader.close()
  }
}
