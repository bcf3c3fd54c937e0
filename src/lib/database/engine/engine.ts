import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { Clock } from '../../clock.ts'
import type { AskRaw, WriteRaw } from './raw-transactions.ts'
import type { BookReader } from './reader.ts'
import type { RowWords } from './row-words.ts'
import type { WhenCommitFails } from './watch-commits.ts'

/**
 * A database behind two clients. All writing goes through one connection (the ledger’s queue), and a writer is alone in
 * the book until COMMIT; reading has connections of its own that cannot write, so that it never sees a transaction that may
 * still be rolled back.
 */
export interface Database<Client> {
  readonly read: Client
  /** Write in a `$transaction` only: of a write outside of one, nobody could tell whether its COMMIT failed. */
  readonly write: Client
  /** The same connection without Prisma, for the ledger’s batches. */
  readonly writeRaw: WriteRaw
  /** Reads as `read` does, without Prisma, for queries of every request. */
  readonly readRaw: AskRaw
  /** How statements take many rows at once here. */
  readonly rows: RowWords
  /** Its server's clock, in milliseconds since 1970. Undefined if it is a file: that is this machine's clock. */
  readonly serverTime?: () => Promise<number>
  /** The address that opens it again, which may hold a password, and the variable that it came from. */
  readonly url: string
  readonly variable: string
  close(): Promise<void>
}

/**
 * A database opened for reading only, also while other processes work on it. Nothing is migrated, mended or created.
 */
export interface InspectedDatabase<Tx> {
  /** Where it is, for people: a file, or an address without its password. */
  readonly name: string
  /** The address that opens it again, which may hold a password, and the variable that it came from. */
  readonly url: string
  readonly variable: string
  /** Faults of the database itself: migrations, constraints, damaged pages. Each a sentence for a person. */
  readonly faults: readonly string[]
  /** Whether its tables can be read at all. */
  readonly readable: boolean
  /** Everything that `look` reads belongs to one moment. */
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

/** The book. */
export interface Book<Client> {
  /** `file:` and a path, relative to the working directory; or `postgresql://…`. */
  readonly url: string
  /** The variable that the address came from, for error messages. */
  readonly variable: string
  /** The folder of the book's files: its migrations, and those for PostgreSQL. */
  readonly folder: string
  /** Makes a client on connections of an engine; which one it is, `provider` says. */
  readonly connect: (adapter: SqlDriverAdapterFactory) => Client | Promise<Client>
}

export interface DatabaseOptions<Client> extends Book<Client> {
  /** Handles a failed COMMIT; left out: the process ends (`watch-commits.ts`). */
  readonly whenCommitFails?: WhenCommitFails
  /** By which the log of a file is emptied now and then; left out: the system's. */
  readonly clock?: Clock
}

/** A database engine for books: SQLite or PostgreSQL. */
export interface Engine {
  /** Opens a book, brings it up to date and verifies its constraints. Throws DatabaseProblem. */
  open<Client extends PrismaLike>(options: DatabaseOptions<Client>): Promise<Database<Client>>
  /** Opens a book to look at it. Throws DatabaseProblem when there is none, or it cannot be read. */
  inspect<Tx, Client extends InspectableClient<Tx>>(book: Book<Client>): Promise<InspectedDatabase<Tx>>
  /** See `openReader`. */
  reader(book: Pick<Book<unknown>, 'url' | 'variable'>, durable: boolean): Promise<BookReader>
}

/** Inspecting a large book takes a while. Milliseconds. */
const INSPECTION_TIMEOUTS = { maxWait: 60_000, timeout: 3_600_000 }

/** Snapshots with a client that is made only when somebody asks for one. */
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
