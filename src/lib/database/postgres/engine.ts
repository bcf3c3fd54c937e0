import { join } from 'node:path'
import { Sql } from '@prisma/client/runtime/client'
import type pg from 'pg'
import { type Book, type Engine, snapshotsOf } from '../engine/engine.ts'
import {
  DatabaseProblem,
  type Intended,
  intendedStructure,
  lookThrough,
  type Migration,
  migrate,
  readMigrations,
  refuseOthersTables,
  type Session,
  verifyStructure,
} from '../engine/migrations.ts'
import { type WriteRaw, withRawReading, withRawTransactions } from '../engine/raw-transactions.ts'
import { endWith } from '../engine/watch-commits.ts'
import { type Address, readAddress } from './address.ts'
import { flushingConfig, lockOf, readers, withSession, writer } from './connections.ts'
import { COMMITS, Flushes, flushedReaders, flushedWriter } from './flushes.ts'
import { inOneJourney } from './one-journey.ts'
import { OneServer } from './one-server.ts'
import { explain, whyPostgresRefuses } from './problems.ts'
import { readerOfServer } from './reader.ts'
import { postgresRows } from './rows.ts'
import { makeStructure, RECORD, structure } from './structure.ts'

/** How many queries of a process run at the same time. */
const READERS = 8

/** The query for the server's time. It uses the clock itself, because a transaction's time stands still. */
const SERVER_TIME = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "ms"'

/** The oldest version that was tested. */
const OLDEST_VERSION = 14

/** Books on a PostgreSQL server, for several processes or machines, each in its own schema. */
export const postgres: Engine = {
  async open(options) {
    const address = readAddress(options)
    const lock = lockOf(address.schema)
    const durability = await prepare(address, migrationsOf(options), lock.toMigrate).catch((error: unknown) => {
      throw explain(error, address, options.variable)
    })
    const { whenCommitFails = endWithoutAnswer } = options
    const failed = (error: unknown) => whenCommitFails(address.name, error)
    const server = new OneServer()
    const watched = writer(address, { lock: lock.toWrite, durability, server, failed })
    const flushes = new Flushes(flushingConfig(address, durability), server)
    const { before } = flushes
    const { factory, writeRaw: inJourneys } = withRawTransactions(watched, { before, failed })
    const atOnce = inOneJourney({ pool: watched.pool, lock: lock.toWrite, before, failed })
    const writeRaw: WriteRaw = async (run, options = {}) => {
      const known = options.atOnce
      if (known !== undefined && (await atOnce(known.statements, options.released))) return known.value
      return await inJourneys(run, options)
    }
    const write = await options.connect(flushedWriter(factory, before, failed))
    const reading = withRawReading(flushedReaders(readers(address, READERS, server), before))
    const read = await options.connect(reading.factory)
    await Promise.all([write.$connect(), read.$connect()])
    return {
      ...{ read, write, writeRaw, readRaw: reading.readRaw, rows: postgresRows },
      ...{ url: options.url, variable: options.variable },
      async serverTime() {
        const [row] = await reading.readRaw.$queryRaw<{ ms: number }[]>(new Sql([SERVER_TIME], []))
        return Number(row?.ms)
      },
      async close() {
        await Promise.all([read.$disconnect(), write.$disconnect()])
        await flushes.close()
      },
    }
  },

  async inspect(book) {
    const address = readAddress(book)
    const found = await withSession(address, (session) => examine(session, address, migrationsOf(book))).catch(
      (error: unknown) => {
        throw explain(error, address, book.variable)
      },
    )
    return {
      ...{ name: address.name, url: book.url, variable: book.variable, ...found },
      ...snapshotsOf(async () => book.connect(readers(address, 1))),
    }
  },

  reader: (book, durable) => readerOfServer(readAddress(book), durable),
}

function migrationsOf({ folder }: Pick<Book<unknown>, 'folder'>): Migration[] {
  return readMigrations(join(folder, 'postgres', 'migrations'))
}

/** Updates a book. Resolves to the `synchronous_commit` with which the book is durable. */
async function prepare(address: Address, migrations: readonly Migration[], lockToMigrate: string): Promise<string> {
  return await withSession(address, async (session, client) => {
    const durability = await checkServer(session, client, address)
    await session.run(lockToMigrate)
    await session.run(`CREATE SCHEMA IF NOT EXISTS ${address.schema}`)
    const tables = await session.rows(
      `SELECT tablename FROM pg_tables WHERE schemaname = '${address.schema}' AND tablename <> '_commits'`,
    )
    refuseOthersTables(tables.map((row) => String(row[0])))
    await session.run(COMMITS)
    const why = (error: unknown) => whyPostgresRefuses(error) ?? `${String(error)}. Restore a backup or report this`
    await migrate(session, migrations, { record: RECORD, begin: 'BEGIN', why })
    verifyStructure(await structure(session), await intended(session, migrations))
    return durability
  })
}

function intended(session: Session, migrations: readonly Migration[]): Promise<Intended> {
  return intendedStructure(migrations, () => makeStructure(session, migrations))
}

/**
 * Throws DatabaseProblem if a book would not be safe. Resolves to the server's `synchronous_commit`, or `on` if that
 * does not wait for the disk.
 */
async function checkServer(session: Session, client: pg.Client, { name }: Address): Promise<string> {
  const [[pid, version, recovering, readOnly, fsync, durable, encoding, alone] = []] = await session.rows(
    `SELECT pg_backend_pid(), current_setting('server_version_num')::int / 10000, pg_is_in_recovery(), current_setting('transaction_read_only'),
       current_setting('fsync'), current_setting('synchronous_commit'), current_setting('server_encoding'),
       current_setting('synchronous_standby_names') <> '' AND NOT EXISTS (SELECT 1 FROM pg_stat_get_wal_senders())`,
  )
  const refuse = (what: string) => new DatabaseProblem(`${name} cannot hold a book: ${what}`)
  if (pid !== (client as unknown as { readonly processID: number }).processID) {
    throw refuse(
      'a pooler stands between Satchel and the server, and may give one transaction’s connection to another. Give the address of the server itself: Satchel pools its connections.',
    )
  }
  if (Number(version) < OLDEST_VERSION) throw refuse(`it is PostgreSQL ${version}. Use ${OLDEST_VERSION} or newer.`)
  if (recovering === true) {
    throw refuse(
      'the server is a standby, or is recovering from a crash. Give the address of the primary, or wait until the server has recovered.',
    )
  }
  if (readOnly === 'on') {
    throw refuse(
      'it is read-only (default_transaction_read_only). Give the address of the primary, or switch this setting off.',
    )
  }
  if (fsync === 'off') {
    throw refuse('fsync is off, so a power cut would take back what was answered. Switch fsync on in postgresql.conf.')
  }
  // It would block every COMMIT. A primary from before a failover looks like this, too.
  if (alone === true) {
    throw refuse(
      'it has to wait for a standby (synchronous_standby_names), but no standby is connected. If another server has become the primary, give the address of that server, and never start this one again as it is. Otherwise, start the standby.',
    )
  }
  if (encoding !== 'UTF8') throw refuse(`its encoding is ${encoding}. Create the database with ENCODING 'UTF8'.`)
  return durable === 'off' ? 'on' : String(durable)
}

async function examine(
  session: Session,
  { name, schema }: Address,
  migrations: readonly Migration[],
): Promise<{ faults: string[]; readable: boolean }> {
  const [[there] = []] = await session.rows(`SELECT to_regclass('${schema}._prisma_migrations') IS NOT NULL`)
  if (there !== true)
    throw new DatabaseProblem(`There is no book at ${name}. Give the address of the database that contains the book.`)
  return await lookThrough(session, migrations, {
    actual: () => structure(session),
    intended: () => intended(session, migrations),
  })
}

function endWithoutAnswer(name: string, error: unknown): never {
  endWith(
    `The database ${name} was lost while a change was committed (${String(error)}). Nobody can know yet whether the change is kept, so nobody gets ` +
      'an answer, and this process ends. Start it again when the database is there: the start finds out, and goes on from there.',
  )
}
