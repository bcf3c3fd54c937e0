import { existsSync } from 'node:fs'
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { fileOfUrl, intendedStructure, sqlite } from './database.ts'
import { checkHistory, DatabaseProblem, missingMigrations, readMigrations, verifyStructure } from './migrations.ts'
import { whySqliteRefuses } from './sqlite-file.ts'

/** A database that is only looked at, also while other processes work on it. Nothing is migrated, mended or created. */
export interface InspectedDatabase<Tx> {
  readonly file: string
  /** What is wrong with the file itself: migrations, constraints, damaged pages. Each a sentence for a person. */
  readonly faults: readonly string[]
  /** Whether its tables can be read at all. */
  readonly readable: boolean
  /** Everything that `look` reads belongs to one moment. */
  snapshot<T>(look: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface InspectableClient<Tx> {
  $disconnect(): Promise<void>
  $transaction<T>(run: (tx: Tx) => Promise<T>, options?: { maxWait?: number; timeout?: number }): Promise<T>
}

export interface InspectionOptions<Client> {
  /** `file:` and a path. */
  readonly url: string
  /** The variable that the address came from, for error messages. */
  readonly variable: string
  /** The folder with the migrations. */
  readonly migrations: string
  readonly connect: (adapter: SqlDriverAdapterFactory) => Client
}

/** A large book takes a while to read. */
const TRANSACTION_TIMEOUTS = { maxWait: 60_000, timeout: 3_600_000 }

const PRAGMAS = ['busy_timeout = 10000', 'temp_store = MEMORY', 'query_only = ON']

/** Opens a database to look at it. Throws DatabaseProblem when there is no such file, or it is no database. */
export async function inspectDatabase<Tx, Client extends InspectableClient<Tx>>(
  options: InspectionOptions<Client>,
): Promise<InspectedDatabase<Tx>> {
  const file = fileOfUrl(options)
  if (!existsSync(file)) {
    throw new DatabaseProblem(
      `There is no database at ${file}. Set ${options.variable} to where it is, or DATA_FOLDER to its folder.`,
    )
  }
  const faults = await examine(file, options.migrations)
  const client = options.connect(sqlite(file, PRAGMAS))
  return {
    file,
    faults: faults.all,
    readable: faults.readable,
    snapshot: (look) => client.$transaction(look, TRANSACTION_TIMEOUTS),
    close: () => client.$disconnect(),
  }
}

async function examine(file: string, folder: string): Promise<{ all: string[]; readable: boolean }> {
  try {
    return await lookThrough(file, folder)
  } catch (error) {
    throw new DatabaseProblem(`The database ${file} cannot be read: ${whySqliteRefuses(error)}.`, { cause: error })
  }
}

async function lookThrough(file: string, folder: string): Promise<{ all: string[]; readable: boolean }> {
  const adapter = await sqlite(file, PRAGMAS).connect()
  const all: string[] = []
  try {
    const migrations = readMigrations(folder)
    all.push(...(await damage(adapter)))
    const history = await faultOf(() => checkHistory(adapter, migrations))
    if (history !== undefined) return { all: [...all, history], readable: false }
    const missing = await missingMigrations(adapter, migrations)
    if (missing.length > 0) {
      const names = missing.join(', ')
      const one = missing.length === 1
      all.push(
        `The database lacks the migration${one ? '' : 's'} ${names}. Start this version of Satchel once: it applies ${one ? 'it' : 'them'}. ` +
          'If it was started already, the record was edited by hand: restore a backup.',
      )
      return { all, readable: false }
    }
    const structure = await faultOf(async () => verifyStructure(adapter, await intendedStructure(migrations)))
    return { all: structure === undefined ? all : [...all, structure], readable: true }
  } finally {
    await adapter.dispose()
  }
}

async function damage(adapter: SqlDriverAdapter): Promise<string[]> {
  const { rows } = await adapter.queryRaw({ sql: 'PRAGMA quick_check(20)', args: [], argTypes: [] })
  return rows
    .map((row) => String(row[0]))
    .filter((line) => line !== 'ok')
    .map((line) => `SQLite finds the file damaged, or its rules broken: ${line}. Restore a backup.`)
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
