import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import { Problem } from '../problem.ts'
import { isDiskTrouble, whySqliteRefuses } from './sqlite-file.ts'

/**
 * Applies SQL migrations at start-up and keeps Prisma's own record of them (`_prisma_migrations`, the same columns and
 * checksums), so that `prisma migrate status` and `deploy` agree with it without the native engine being needed.
 */

/** The database is not what this version of Satchel expects. The message says what differs and what to do. */
export class DatabaseProblem extends Problem {
  override name = 'DatabaseProblem'
}

export interface Migration {
  readonly name: string
  readonly sql: string
  /** SHA-256 of the file, hex, as Prisma records it. */
  readonly checksum: string
}

/** The migrations of a folder in order: one subfolder each, holding `migration.sql`. */
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

const RECORD = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    TEXT PRIMARY KEY NOT NULL,
    "checksum"              TEXT NOT NULL,
    "finished_at"           DATETIME,
    "migration_name"        TEXT NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        DATETIME,
    "started_at"            DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count"   INTEGER UNSIGNED NOT NULL DEFAULT 0
)`

/**
 * Brings a database up to date, each migration in a transaction of its own together with its record. Two processes
 * that start at once are safe: the second waits for the first. Throws DatabaseProblem when the database is newer than
 * this version, or when an applied migration has been changed since.
 */
export async function migrate(adapter: SqlDriverAdapter, migrations: readonly Migration[]): Promise<void> {
  await adapter.executeScript(RECORD)
  await checkHistory(adapter, migrations)
  const missing = new Set(await missingMigrations(adapter, migrations))
  for (const migration of migrations.filter(({ name }) => missing.has(name))) {
    await adapter.executeScript('BEGIN IMMEDIATE')
    try {
      // Another process may have been quicker.
      const applied = await appliedMigrations(adapter)
      if (!applied.has(migration.name)) {
        await adapter.executeScript(migration.sql)
        await adapter.executeScript(
          `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count")
           VALUES ('${migration.checksum.slice(0, 36)}', '${migration.checksum}', '${migration.name}', current_timestamp, 1)`,
        )
      }
    } catch (error) {
      // SQLite itself has rolled back when the disk is full or failed.
      await rollBack(adapter)
      throw new DatabaseProblem(
        `The migration ${migration.name} could not be applied, and nothing of it was kept: ${describe(error)}.`,
        { cause: error },
      )
    }
    // An error of COMMIT proves nothing: the start fails with it, and the next start reads whether the migration was kept.
    await adapter.executeScript('COMMIT')
  }
}

/** Throws DatabaseProblem when the database is newer than these migrations, or one of them has been changed since. */
export async function checkHistory(adapter: SqlDriverAdapter, migrations: readonly Migration[]): Promise<void> {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const [name, checksum] of await appliedMigrations(adapter)) {
    const migration = known.get(name)
    if (!migration) {
      throw new DatabaseProblem(
        `The database was made by a newer version of Satchel (it has the migration ${name}, which this one does not know). ` +
          'Start the newer version, or restore a backup from before the upgrade.',
      )
    }
    if (migration.checksum !== checksum) {
      throw new DatabaseProblem(
        `The migration ${name} was applied with other contents than this version has (recorded ${checksum.slice(0, 12)}…, ` +
          `here ${migration.checksum.slice(0, 12)}…). Use the version that made the database, or restore a backup.`,
      )
    }
  }
}

/** The names of the migrations that were not applied yet, in order. */
export async function missingMigrations(
  adapter: SqlDriverAdapter,
  migrations: readonly Migration[],
): Promise<string[]> {
  const applied = await appliedMigrations(adapter)
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name))
}

async function appliedMigrations(adapter: SqlDriverAdapter): Promise<Map<string, string>> {
  const sql = `SELECT "migration_name", "checksum" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL ORDER BY "migration_name"`
  const { rows } = await adapter.queryRaw({ sql, args: [], argTypes: [] })
  return new Map(rows.map((row) => [String(row[0]), String(row[1])]))
}

/**
 * Compares the database's tables, constraints, indexes and triggers with those that the migrations make in an empty
 * one. Constraints guard the money, and an edit by hand or a rebuilt table can drop them silently. Throws
 * DatabaseProblem naming what is missing, changed or additional.
 */
export async function verifyStructure(
  adapter: SqlDriverAdapter,
  reference: ReadonlyMap<string, string>,
): Promise<void> {
  const actual = await structure(adapter)
  const wrong: string[] = []
  for (const [name, sql] of reference) {
    const found = actual.get(name)
    if (found === undefined) wrong.push(`${name} is missing`)
    else if (found !== sql) wrong.push(`${name} was changed`)
  }
  for (const name of actual.keys()) if (!reference.has(name)) wrong.push(`${name} does not belong here`)
  if (wrong.length > 0) {
    throw new DatabaseProblem(
      `The database is not as its migrations made it: ${wrong.join('; ')}. Nothing was changed; restore a backup, or undo what was done by hand.`,
    )
  }
}

/** Every table, index and trigger with the SQL that made it, white space folded. */
export async function structure(adapter: SqlDriverAdapter): Promise<Map<string, string>> {
  const sql = `SELECT "type", "name", "sql" FROM "sqlite_master" WHERE "name" NOT LIKE 'sqlite_%' AND "sql" IS NOT NULL`
  const { rows } = await adapter.queryRaw({ sql, args: [], argTypes: [] })
  return new Map(rows.map((row) => [`${row[0]} ${row[1]}`, String(row[2]).replace(/\s+/g, ' ')]))
}

async function rollBack(adapter: SqlDriverAdapter): Promise<void> {
  try {
    await adapter.executeScript('ROLLBACK')
  } catch {}
}

/** What went wrong and what to do: two sentences without the last full stop. */
function describe(error: unknown): string {
  if (isDiskTrouble(error)) return `${whySqliteRefuses(error)}, then start again`
  const cause = (error as { cause?: { originalMessage?: string } }).cause
  return `${cause?.originalMessage ?? String(error)}. Restore a backup or report this`
}
