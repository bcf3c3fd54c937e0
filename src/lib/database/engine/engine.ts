import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { Clock } from '../../clock.ts'
import type { AskRaw, WriteRaw } from './raw-transactions.ts'
import type { BookReader } from './reader.ts'
import type { RowWords } from './row-words.ts'
import type { WhenCommitFails } from './watch-commits.ts'

/**
 * A database behind two clients. All writing goes through one connection (the ledger’s queue), and a writer is alone in
 * the book until COMMIT. Reading has separate connections that cannot write, so readers never see a transaction that
 * may still be rolled back.
 */
export interface Database<Client> {
  readonly read: Client
  /** The client for writing. Write only in a `$transaction`: otherwise nothing could tell whether the COMMIT failed. */
  readonly write: Client
  /** The writing connection without Prisma, for the ledger’s batches. */
  readonly writeRaw: WriteRaw
  /** The client that reads as `read` does, but without Prisma, for queries in every request. */
  readonly readRaw: AskRaw
  /** The SQL with which this engine accepts many rows in one statement. */
  readonly rows: RowWords
  /**
   * Returns the server's time, in milliseconds since 1970. The function is undefined for a file, which uses this
   * machine's clock.
   */
  readonly serverTime?: () => Promise<number>
  /** The address to open the database again, which may contain a password, and the variable with the address. */
  readonly url: string
  readonly variable: string
  close(): Promise<void>
}

/** A database opened for reading only, even while other processes use it. Nothing is migrated, repaired or created. */
export interface InspectedDatabase<Tx> {
  /** The database's place as people see it: a file, or an address without its password. */
  readonly name: string
  /** The address to open the database again, which may contain a password, and the variable with the address. */
  readonly url: string
  readonly variable: string
  /** Faults of the database itself: migrations, constraints, damaged pages. Each is a sentence for a person. */
  readonly faults: readonly string[]
  /** Whether the database's tables can be read at all. */
  readonly readable: boolean
  /** Runs `look`. Everything that `look` reads belongs to one moment. */
  snapshot<T>(look: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The parts of a generated Prisma client that an engine uses. */
export interface PrismaLike {
  $disconnect(): Promise<void>
  $connect(): Promise<void>
}

export interface InspectableClient<Tx> extends PrismaLike {
  $transaction<T>(run: (tx: Tx) => Promise<T>, options?: { maxWait?: number; timeout?: number }): Promise<T>
}

/** The facts about a book that an engine needs. */
export interface Book<Client> {
  /** The address: `file:` and a path, relative to the working directory; or `postgresql://…`. */
  readonly url: string
  /** The variable that contained the address, for error messages. */
  readonly variable: string
  /** The folder of the book's files: its migrations for SQLite, and those for PostgreSQL. */
  readonly folder: string
  /** Creates a client on an engine's connections. The adapter's `provider` names the engine. */
  readonly connect: (adapter: SqlDriverAdapterFactory) => Client | Promise<Client>
}

export interface DatabaseOptions<Client> extends Book<Client> {
  /** Handles a failed COMMIT. Default: the process ends (`watch-commits.ts`). */
  readonly whenCommitFails?: WhenCommitFails
  /** The clock that decides when a file's log is emptied. Default: the system's clock. */
  readonly clock?: Clock
}

/** A database engine for books: SQLite or PostgreSQL. */
export interface Engine {
  /** Opens a book, updates it and verifies its constraints. Throws DatabaseProblem. */
  open<Client extends PrismaLike>(options: DatabaseOptions<Client>): Promise<Database<Client>>
  /** Opens a book for inspection. Throws DatabaseProblem if there is none, or it cannot be read. */
  inspect<Tx, Client extends InspectableClient<Tx>>(book: Book<Client>): Promise<InspectedDatabase<Tx>>
  /** Opens a reader for long readings: see `openReader`. */
  reader(book: Pick<Book<unknown>, 'url' | 'variable'>, durable: boolean): Promise<BookReader>
}

/** Time limits in milliseconds. Inspecting a large book takes a while. */
const INSPECTION_TIMEOUTS = { maxWait: 60_000, timeout: 3_600_000 }

/** Returns functions that take snapshots with a client, which is created at its first use, and that close it. */
export function snapshotsOf<Tx, Client extends InspectableClient<Tx>>(
  connect: () => Promise<Client>,
): Pick<InspectedDatabase<Tx>, 'snapshot' | 'close'> {
  let client: Promise<Client> | undefined
  return {
    async snapshot(look) {
      client ??= connect()
      return await (await client).$transaction(look, INSPECTION_TIMEOUTS)
    },
    close: async () => await (await client)?.$disconnect(),
  }
}
