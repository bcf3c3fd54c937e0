import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Sql } from '@prisma/client/runtime/client'
import { Problem } from '../../problem.ts'

/**
 * Applies SQL migrations at start-up and writes Prisma's own record of them (`_prisma_migrations`, the same columns and
 * checksums). So `prisma migrate status` and `deploy` agree with this record, and Prisma's native engine is not needed.
 */

/** The database is not what this version of Satchel expects. The message says what differs and what to do. */
export class DatabaseProblem extends Problem {
  override name = 'DatabaseProblem'
}

export interface Migration {
  readonly name: string
  readonly sql: string
  /** The file's SHA-256 in hex, as Prisma records it. */
  readonly checksum: string
}

/** Reads a folder's migrations in order: one subfolder each, with `migration.sql`. */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/** A connection for an engine's own statements. */
export interface Session {
  /** Runs statements that return no rows. */
  run(sql: string): Promise<void>
  rows(sql: string): Promise<readonly (readonly unknown[])[]>
}

/** The SQL and the explanations with which an engine migrates. */
export interface MigrationWords {
  /** The statement that creates the table of applied migrations if it is missing, with Prisma's columns. */
  readonly record: string
  /** The statement that begins a transaction which excludes other migrating processes. */
  readonly begin: string
  /** Explains the cause and the remedy: two sentences without the last full stop. */
  readonly why: (error: unknown) => string
}

/**
 * Updates a database, each migration in its own transaction together with its record. Two processes may start
 * simultaneously: the second waits for the first. Throws DatabaseProblem if the database is newer than this version, or
 * if an applied migration has been changed since.
 */
export async function migrate(
  session: Session,
  migrations: readonly Migration[],
  { record, begin, why }: MigrationWords,
): Promise<void> {
  await session.run(record)
  await checkHistory(session, migrations)
  const missing = new Set(await missingMigrations(session, migrations))
  for (const migration of migrations.filter(({ name }) => missing.has(name))) {
    await session.run(begin)
    try {
      // Another process may have been faster.
      const applied = await appliedMigrations(session)
      if (!applied.has(migration.name)) {
        await session.run(migration.sql)
        await session.run(
          `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count")
           VALUES ('${migration.checksum.slice(0, 36)}', '${migration.checksum}', '${migration.name}', current_timestamp, 1)`,
        )
      }
    } catch (error) {
      // The database itself rolls back when the disk is full or fails.
      await rollBack(session)
      throw new DatabaseProblem(
        `The migration ${migration.name} could not be applied: ${why(error)}. None of its changes were kept.`,
        { cause: error },
      )
    }
    // An error of COMMIT proves nothing. The start fails with it, and the next start reads whether the migration was
    // stored.
    await session.run('COMMIT')
  }
}

/**
 * The beginning of a name in the record of migrations that matches no migration, so that older versions refuse the
 * book, too.
 */
const MOVED = 'moved to '
/** The length of the column for names of migrations. */
const MAX_NAME = 255

/**
 * Returns a statement that marks a book as moved, so that no process starts on it any more. `place`: the new place, as
 * people see it.
 */
export function movedMark(place: string, at: Date): Sql {
  const columns = '"id", "checksum", "migration_name", "logs", "finished_at", "applied_steps_count"'
  const values = [`moved-${at.getTime()}`, 'none', `${MOVED}${place}`.slice(0, MAX_NAME), at.toISOString()]
  const statement = [
    `INSERT INTO "_prisma_migrations" (${columns}) VALUES (`,
    ', ',
    ', ',
    ', ',
    ', current_timestamp, 0)',
  ]
  return new Sql(statement, values)
}

/**
 * Throws DatabaseProblem if the database was moved, or is newer than these migrations, or if an applied migration has
 * been changed since.
 */
export async function checkHistory(session: Session, migrations: readonly Migration[]): Promise<void> {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const [name, checksum] of await appliedMigrations(session)) {
    const migration = known.get(name)
    if (name.startsWith(MOVED)) {
      throw new DatabaseProblem(
        `This book was moved to ${name.slice(MOVED.length)} by npm run move. Everything since then is stored in the new place. Set TIPPING_DATABASE_URL or PAYMENTS_DATABASE_URL to the new place. Nothing was changed.`,
      )
    }
    if (!migration) {
      throw new DatabaseProblem(
        `The database was made by a newer version of Satchel (it has the migration ${name}, which this version does not know). ` +
          'Start the newer version, or restore a backup from before the upgrade.',
      )
    }
    if (migration.checksum !== checksum) {
      throw new DatabaseProblem(
        `The migration ${name} was applied with contents that differ from this version’s (recorded ${checksum.slice(0, 12)}…, ` +
          `here ${migration.checksum.slice(0, 12)}…). Use the version that made the database, or restore a backup. If the address of the bot’s book leads to the service’s book, or the other way round, correct the address.`,
      )
    }
  }
}

/**
 * Throws DatabaseProblem for tables without a record of migrations, which belong to another program. `tables`: their
 * names.
 */
export function refuseOthersTables(tables: readonly string[]): void {
  if (tables.length === 0 || tables.includes('_prisma_migrations')) return
  throw new DatabaseProblem(
    `The database contains tables that are not Satchel's (${tables.slice(0, 3).join(', ')}). Use another database. Nothing was changed.`,
  )
}

/** Returns the names of the migrations that have not been applied, in order. */
export async function missingMigrations(session: Session, migrations: readonly Migration[]): Promise<string[]> {
  const applied = await appliedMigrations(session)
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name))
}

async function appliedMigrations(session: Session): Promise<Map<string, string>> {
  const sql = `SELECT "migration_name", "checksum" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL ORDER BY "migration_name"`
  const rows = await session.rows(sql)
  return new Map(rows.map((row) => [String(row[0]), String(row[1])]))
}

/** The SQL of tables, constraints, indexes and triggers, by name. */
export type Structure = ReadonlyMap<string, string>

/** The structure after all migrations, then its equivalents, if an engine has several forms for one thing. */
export type Intended = readonly [Structure, ...Structure[]]

/**
 * Compares a database's structure with the intended one. Constraints guard the money, and a manual change or a rebuilt
 * table can drop them silently. Throws DatabaseProblem, which names what is missing, changed or additional.
 */
export function verifyStructure(actual: Structure, intended: Intended): void {
  const wrong: string[] = []
  const [made] = intended
  for (const name of made.keys()) {
    const found = actual.get(name)
    if (found === undefined) wrong.push(`${name} is missing`)
    else if (!intended.some((structure) => structure.get(name) === found)) wrong.push(`${name} was changed`)
  }
  for (const name of actual.keys()) if (!made.has(name)) wrong.push(`${name} does not belong here`)
  if (wrong.length > 0) {
    throw new DatabaseProblem(
      `The database differs from what its migrations made: ${wrong.join('; ')}. Satchel has changed nothing. Restore a backup, or undo the changes that were made by hand.`,
    )
  }
}

/**
 * The structures that lists of migrations create in an empty database, by the migrations' checksums. They are cached,
 * because a process that opens many books needs them repeatedly.
 */
const intended = new Map<string, Promise<Intended>>()

/** Builds a structure from migrations with `make`, once for each list of migrations in a process. */
export function intendedStructure(migrations: readonly Migration[], make: () => Promise<Intended>): Promise<Intended> {
  const key = migrations.map(({ checksum }) => checksum).join()
  const known = intended.get(key) ?? make()
  intended.set(key, known)
  known.catch(() => intended.delete(key))
  return known
}

/**
 * Examines a database's migrations and structure without changing it. Returns the faults, each a sentence, and whether
 * its tables can be read anyway.
 */
export async function lookThrough(
  session: Session,
  migrations: readonly Migration[],
  structures: { actual: () => Promise<Structure>; intended: () => Promise<Intended> },
): Promise<{ faults: string[]; readable: boolean }> {
  const history = await faultOf(() => checkHistory(session, migrations))
  if (history !== undefined) return { faults: [history], readable: false }
  const missing = await missingMigrations(session, migrations)
  if (missing.length > 0) {
    const names = missing.join(', ')
    const one = missing.length === 1
    const fault =
      `The database lacks the migration${one ? '' : 's'} ${names}. Start this version of Satchel once: it applies ${one ? 'it' : 'them'}. ` +
      'If it was started already, the record was edited by hand: restore a backup.'
    return { faults: [fault], readable: false }
  }
  const structure = await faultOf(async () => verifyStructure(await structures.actual(), await structures.intended()))
  return { faults: structure === undefined ? [] : [structure], readable: true }
}

async function faultOf(check: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await check()
    return undefined
  } catch (error) {
    if (error instanceof DatabaseProblem) return error.message
    throw error
  }
}

async function rollBack(session: Session): Promise<void> {
  try {
    await session.run('ROLLBACK')
  } catch {}
}
