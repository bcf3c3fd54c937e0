import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { type Clock, systemClock } from '../../clock.ts'
import { startWorker, type Worker } from '../../worker.ts'
import { type Book, type Engine, snapshotsOf } from '../engine/engine.ts'
import {
  checkHistory,
  DatabaseProblem,
  type Intended,
  intendedStructure,
  lookThrough,
  type Migration,
  type MigrationWords,
  migrate,
  readMigrations,
  refuseOthersTables,
  type Session,
  type Structure,
  verifyStructure,
} from '../engine/migrations.ts'
import { withRawReading, withRawTransactions } from '../engine/raw-transactions.ts'
import { endProcess, watchCommits } from '../engine/watch-commits.ts'
import { cacheStatements } from './cached-statements.ts'
import { emptyLog } from './empty-log.ts'
import { isNoFile } from './peek.ts'
import { readerOfFile } from './reader.ts'
import { sqliteRows } from './rows.ts'
import { isDiskTrouble, isLookedThrough, mustBeWhole, whySqliteRefuses } from './sqlite-file.ts'

/**
 * The settings of connections that write or read. FULL means that a commit is on the disk before it is confirmed.
 * Temporary structures stay in memory.
 */
const PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'busy_timeout = 10000',
  'temp_store = MEMORY',
]

/**
 * The settings of the connection that writes. A checkpoint comes after 64 MiB of log instead of 4 MiB, so a page that
 * changed often between two checkpoints is written only once. The page cache stays at 32 MiB: with 64 or 256 MiB,
 * payments were no faster, and the process used correspondingly more memory. The system's file cache holds the rest.
 */
const FOR_WRITING = [...PRAGMAS, 'cache_size = -32768', 'wal_autocheckpoint = 16000']

/**
 * The settings of connections that read. SQLite empties a reader's page cache whenever another connection has written,
 * so a large cache would only use memory.
 */
const FOR_READING = [...PRAGMAS, 'cache_size = -8192', 'query_only = ON']

const FOR_INSPECTING = ['busy_timeout = 10000', 'temp_store = MEMORY', 'query_only = ON']

const EMPTY_LOG_EVERY_MS = 5 * 60_000

const WORDS: MigrationWords = {
  record: `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    TEXT PRIMARY KEY NOT NULL,
    "checksum"              TEXT NOT NULL,
    "finished_at"           DATETIME,
    "migration_name"        TEXT NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        DATETIME,
    "started_at"            DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count"   INTEGER UNSIGNED NOT NULL DEFAULT 0
)`,
  begin: 'BEGIN IMMEDIATE',
  why(error) {
    if (isDiskTrouble(error)) return `${whySqliteRefuses(error)}, then start again`
    const cause = (error as { cause?: { originalMessage?: string } }).cause
    return `${cause?.originalMessage ?? String(error)}. Restore a backup or report this`
  },
}

/** The engine that stores each book in one SQLite file: the default, which needs no server. */
export const sqlite: Engine = {
  async open(options) {
    const file = fileOfUrl(options)
    try {
      mkdirSync(dirname(file), { recursive: true })
      await prepare(file, migrationsOf(options))
    } catch (error) {
      throw explain(error, file, options.variable)
    }
    const { whenCommitFails = endProcess } = options
    const watched = connections(file, FOR_WRITING, (error) => whenCommitFails(file, error))
    const { factory, writeRaw } = withRawTransactions(watched)
    const write = await options.connect(factory)
    const reading = withRawReading(connections(file, FOR_READING))
    const read = await options.connect(reading.factory)
    await Promise.all([write.$connect(), read.$connect()])
    const emptying = emptyLogNowAndThen(file, options.clock)
    return {
      ...{ read, write, writeRaw, readRaw: reading.readRaw, rows: sqliteRows },
      ...{ url: `file:${file}`, variable: options.variable },
      async close() {
        await emptying.close()
        await Promise.all([read.$disconnect(), write.$disconnect()])
      },
    }
  },

  async inspect(book) {
    const file = fileOfUrl(book)
    if (!existsSync(file)) {
      throw new DatabaseProblem(
        `There is no database at ${file}. Set ${book.variable} to where the database is, or DATA_FOLDER to its folder.`,
      )
    }
    const found = await examine(file, migrationsOf(book)).catch((error: unknown) => {
      throw new DatabaseProblem(`The database ${file} cannot be read: ${whySqliteRefuses(error, file)}.`, {
        cause: error,
      })
    })
    return {
      ...{ name: file, url: `file:${file}`, variable: book.variable, ...found },
      ...snapshotsOf(async () => book.connect(connections(file, FOR_INSPECTING))),
    }
  },

  // Everything that SQLite shows to others is durable.
  reader: async (book) => readerOfFile(fileOfUrl(book)),
}

/**
 * Empties the log at intervals, because whatever a lost log contains is lost, too. SQLite itself empties the log only
 * after 64 MiB, which a small community takes weeks to write. A failure is ignored here, because a faulty disk also
 * makes the next COMMIT fail, which is reported.
 */
function emptyLogNowAndThen(file: string, clock: Clock = systemClock): Worker {
  const round = async () => emptyLog(file)
  return startWorker({ clock, round, pauseMs: EMPTY_LOG_EVERY_MS, failed: () => undefined })
}

/**
 * Throws DatabaseProblem unless a file is missing, is empty, or contains a book that this version can open. Changes
 * nothing.
 */
export async function recognizeFile(book: Pick<Book<unknown>, 'url' | 'folder' | 'variable'>): Promise<void> {
  const file = fileOfUrl(book)
  if (isNoFile(file)) return
  try {
    await withSession(file, FOR_INSPECTING, async (session) => {
      const tables = await tablesIn(session)
      refuseOthersTables(tables)
      if (tables.length > 0) await checkHistory(session, migrationsOf(book))
    })
  } catch (error) {
    throw explain(error, file, book.variable)
  }
}

/** Returns the path in a database's address, which begins with `file:`. */
export function fileOfUrl({ url }: { url: string }): string {
  return resolve(url.slice('file:'.length))
}

function migrationsOf({ folder }: Pick<Book<unknown>, 'folder'>): Migration[] {
  return readMigrations(join(folder, 'migrations'))
}

async function prepare(file: string, migrations: readonly Migration[]): Promise<void> {
  const known = isLookedThrough(file)
  if (!isNoFile(file))
    await withSession(file, FOR_INSPECTING, async (session) => refuseOthersTables(await tablesIn(session)))
  await withSession(file, PRAGMAS, async (session) => {
    if (known) mustBeWhole((await session.rows('PRAGMA quick_check(1)'))[0]?.[0])
    await makeDurable(session)
    await migrate(session, migrations, WORDS)
    verifyStructure(await structure(session), await intended(migrations))
  })
}

async function tablesIn(session: Session): Promise<string[]> {
  const rows = await session.rows(
    `SELECT "name" FROM "sqlite_master" WHERE "type" = 'table' AND "name" NOT LIKE 'sqlite_%'`,
  )
  return rows.map((row) => String(row[0]))
}

/**
 * Moves the log's content into the database, and syncs the database. The log may contain a transaction whose sync
 * failed: that transaction can be read, but a power cut would remove it, even after somebody had been told of it.
 */
async function makeDurable(session: Session): Promise<void> {
  const [answer] = await session.rows('PRAGMA wal_checkpoint(FULL)')
  if (Number(answer?.[0]) === 0) return
  throw new DatabaseProblem(
    'The database could not be written to the disk in full, because another process has been reading it for a long time. Wait for that process (an audit or a backup), or stop it, then start again.',
  )
}

async function examine(
  file: string,
  migrations: readonly Migration[],
): Promise<{ faults: string[]; readable: boolean }> {
  return await withSession(file, FOR_INSPECTING, async (session) => {
    const damage = (await session.rows('PRAGMA quick_check(20)'))
      .map((row) => String(row[0]))
      .filter((line) => line !== 'ok')
      .map((line) => `SQLite finds the file damaged, or its rules broken: ${line}. Restore a backup.`)
    const { faults, readable } = await lookThrough(session, migrations, {
      actual: () => structure(session),
      intended: () => intended(migrations),
    })
    return { faults: [...damage, ...faults], readable }
  })
}

function intended(migrations: readonly Migration[]): Promise<Intended> {
  const make = () =>
    withSession<Intended>(':memory:', [], async (session) => {
      await migrate(session, migrations, WORDS)
      return [await structure(session)]
    })
  return intendedStructure(migrations, make)
}

/** Returns the SQL of every table, index and trigger, by kind and name, with folded white space. */
async function structure(session: Session): Promise<Structure> {
  const sql = `SELECT "type", "name", "sql" FROM "sqlite_master" WHERE "name" NOT LIKE 'sqlite_%' AND "sql" IS NOT NULL`
  const rows = await session.rows(sql)
  return new Map(rows.map((row) => [`${row[0]} ${row[1]}`, String(row[2]).replace(/\s+/g, ' ')]))
}

async function withSession<T>(
  file: string,
  pragmas: readonly string[],
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const adapter = await connections(file, pragmas).connect()
  try {
    return await use({
      run: (sql) => adapter.executeScript(sql),
      rows: async (sql) => (await adapter.queryRaw({ sql, args: [], argTypes: [] })).rows,
    })
  } finally {
    await adapter.dispose()
  }
}

/** Returns a factory of SQLite connections that set the pragmas, and that call `failed` if a COMMIT fails. */
function connections(
  file: string,
  pragmas: readonly string[],
  failed?: (error: unknown) => never,
): SqlDriverAdapterFactory {
  const factory = new PrismaBetterSqlite3({ url: file })
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter: SqlDriverAdapter = await factory.connect()
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
    `The database ${file} could not be opened: ${whySqliteRefuses(error, file)}, or set ${variable} to another file.`,
    { cause: error },
  )
}
