import type {
  Book,
  Database,
  DatabaseOptions,
  Engine,
  InspectableClient,
  InspectedDatabase,
  PrismaLike,
} from './engine/engine.ts'
import { DatabaseProblem } from './engine/migrations.ts'
import type { BookReader, ReadBook, ReadRows } from './engine/reader.ts'
import { fileOfUrl, recognizeFile, sqlite } from './sqlite/engine.ts'
import { isFile, isPostgres } from './url-kinds.ts'

export type { Database, InspectedDatabase } from './engine/engine.ts'

/**
 * Opens a book, brings it up to date and verifies its constraints. Throws DatabaseProblem with a sentence for a person when
 * the address is wrong, the database cannot be reached or written, is not a database or damaged, or its structure is off.
 */
export async function openDatabase<Client extends PrismaLike>(
  options: DatabaseOptions<Client>,
): Promise<Database<Client>> {
  return (await engineOf(options)).open(options)
}

/** Opens a book to look at it. Throws DatabaseProblem when there is none, or it is not a database. */
export async function inspectDatabase<Tx, Client extends InspectableClient<Tx>>(
  book: Book<Client>,
): Promise<InspectedDatabase<Tx>> {
  return (await engineOf(book)).inspect(book)
}

/** Opens what reads a book for long. The book was opened before, so its structure is right. */
export async function openReader({ durable, ...book }: ReadBook): Promise<BookReader> {
  return (await engineOf(book)).reader(book, durable)
}

/** Reads a book once: everything that `look` reads belongs to one moment. */
export async function readBook<T>(book: ReadBook, look: (rows: ReadRows) => Promise<T>): Promise<T> {
  const reader = await openReader(book)
  try {
    return await reader.snapshot(look)
  } finally {
    await reader.close()
  }
}

/** The engine that an address names. PostgreSQL's is loaded only where it is used. */
async function engineOf({ url, variable }: { url: string; variable: string }): Promise<Engine> {
  if (isFile(url)) return sqlite
  if (isPostgres(url)) return (await import('./postgres/engine.ts')).postgres
  throw new DatabaseProblem(
    `${variable} must be a SQLite file such as file:./data/${bookOf(variable)}.sqlite, or the address of a PostgreSQL server such as ` +
      `postgresql://satchel@127.0.0.1/satchel; it starts with "${url.slice(0, 12)}".`,
  )
}

const bookOf = (variable: string) => variable.split('_')[0]?.toLowerCase()

export { fileOfUrl, recognizeFile }
