import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { cacheStatements } from './cached-statements.ts'
import { DatabaseProblem, type Migration, migrate, readMigrations, structure, verifyStructure } from './migrations.ts'
import { isLookedThrough, mustBeWhole, whySqliteRefuses } from './sqlite-file.ts'
import { endProcess, type WhenCommitFails, watchCommits } from './watch-commits.ts'

/**
 * One SQLite file behind two clients. All writing goes through one connection (the ledger's queue); reading has a
 * connection of its own that cannot write, so that it never sees a transaction that may still be rolled back.
 */
export interface Database<Client> {
  readonly read: Client
  /** Write in a `$transaction` only: of a write outside of one, nobody could tell whether its COMMIT failed. */
  readonly write: Client
  readonly file: string
  close(): Promise<void>
}

interface PrismaLike {
  $disconnect(): Promise<void>
  $connect(): Promise<void>
}

export interface DatabaseOptions<Client extends PrismaLike> {
  /** `file:` and a path, relative to the working directory. */
  readonly url: string
  /** The variable that the address came from, for error messages. */
  readonly variable: string
  /** The folder with the migrations. */
  readonly migrations: string
  readonly connect: (adapter: SqlDriverAdapterFactory) => Client
  /** What happens when a COMMIT fails; left out: the process ends (`watch-commits.ts`). */
  readonly whenCommitFails?: WhenCommitFails
}

/** FULL: a commit is on the disk before it is answered. Temporary structures stay in memory. */
const PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'busy_timeout = 10000',
  'cache_size = -65536',
  'temp_store = MEMORY',
]

/**
 * The connection that writes knows of every change, so its page cache stays good, and may hold the accounts of a large
 * book (256 MiB; a small book takes what it needs). What is read on the other connection is void after each commit: more
 * would not help it. A checkpoint comes after 64 MiB of log instead of 4: a page that changed often in between is then
 * written only once.
 */
const FOR_WRITING = [...PRAGMAS, 'cache_size = -262144', 'wal_autocheckpoint = 16000']

/**
 * Opens a database, brings it up to date and verifies its constraints. Throws DatabaseProblem with a sentence for a
 * person when the address is wrong, the folder cannot be written, the file is no database or damaged, or its structure is off.
 */
export async function openDatabase<Client extends PrismaLike>(
  options: DatabaseOptions<Client>,
): Promise<Database<Client>> {
  const file = fileOfUrl(options)
  try {
    mkdirSync(dirname(file), { recursive: true })
    await prepare(file, options.migrations)
  } catch (error) {
    throw explain(error, file, options.variable)
  }
  const { whenCommitFails = endProcess } = options
  const write = options.connect(sqlite(file, FOR_WRITING, (error) => whenCommitFails(file, error)))
  const read = options.connect(sqlite(file, [...PRAGMAS, 'query_only = ON']))
  await Promise.all([write.$connect(), read.$connect()])
  return {
    read,
    write,
    file,
    async close() {
      await Promise.all([read.$disconnect(), write.$disconnect()])
    },
  }
}

/** The path in a database's address. Throws DatabaseProblem when it is no `file:` address. */
export function fileOfUrl({ url, variable }: { url: string; variable: string }): string {
  if (!/^file:./.test(url)) {
    throw new DatabaseProblem(
      `${variable} must be a SQLite file such as file:./data/${variable.split('_')[0]?.toLowerCase()}.sqlite; it starts with "${url.slice(0, 12)}".`,
    )
  }
  return resolve(url.slice('file:'.length))
}

async function prepare(file: string, folder: string): Promise<void> {
  const migrations = readMigrations(folder)
  const known = isLookedThrough(file)
  const adapter = await sqlite(file, PRAGMAS).connect()
  try {
    if (known)
      mustBeWhole((await adapter.queryRaw({ sql: 'PRAGMA quick_check(1)', args: [], argTypes: [] })).rows[0]?.[0])
    await makeDurable(adapter)
    await migrate(adapter, migrations)
    await verifyStructure(adapter, await intendedStructure(migrations))
  } finally {
    await adapter.dispose()
  }
}

/**
 * Moves what the log holds into the database and syncs it. The log may hold a transaction whose sync failed: it can be
 * read, but a power cut would take it away again, and by then somebody would have been told of it.
 */
async function makeDurable(adapter: SqlDriverAdapter): Promise<void> {
  const { rows } = await adapter.queryRaw({ sql: 'PRAGMA wal_checkpoint(FULL)', args: [], argTypes: [] })
  if (Number(rows[0]?.[0]) === 0) return
  throw new DatabaseProblem(
    'The database could not be written to the disk in full, since another process has been reading it for long. Wait for that process (an audit or a backup), or stop it, then start again.',
  )
}

/** What the migrations make of an empty database. A process that opens many asks for the same again and again. */
const intended = new Map<string, Promise<Map<string, string>>>()

/** The structure that a list of migrations makes, by `structure`'s names. */
export function intendedStructure(migrations: readonly Migration[]): Promise<Map<string, string>> {
  const key = migrations.map(({ checksum }) => checksum).join()
  const known = intended.get(key) ?? makeIntendedStructure(migrations)
  intended.set(key, known)
  return known
}

async function makeIntendedStructure(migrations: readonly Migration[]): Promise<Map<string, string>> {
  const empty = await sqlite(':memory:', []).connect()
  try {
    await migrate(empty, migrations)
    return await structure(empty)
  } finally {
    await empty.dispose()
  }
}

/** A factory of SQLite connections that sets the pragmas on each connection it makes, and watches its COMMITs for `failed`. */
export function sqlite(
  file: string,
  pragmas: readonly string[],
  failed?: (error: unknown) => never,
): SqlDriverAdapterFactory {
  const factory = new PrismaBetterSqlite3({ url: file })
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect()
      for (const pragma of pragmas) await adapter.executeScript(`PRAGMA ${pragma}`)
      cacheStatements(adapter)
      if (failed !== undefined) watchCommits(adapter, failed)
      return adapter
    },
  }
}

function explain(error: unknown, file: string, variable: string): DatabaseProblem {
  if (error instanceof DatabaseProblem) return error
  return new DatabaseProblem(
    `The database ${file} could not be opened: ${whySqliteRefuses(error)}, or name another file in ${variable}.`,
    { cause: error },
  )
}
