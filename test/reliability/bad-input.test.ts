import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DatabaseProblem } from '../../src/lib/database/engine/migrations.ts'
import { openPaymentsDatabase } from '../../src/payments-service/core/database.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'

const SIDES = [
  {
    name: 'the bot’s database',
    open: openTippingDatabase,
    file: 'tipping.sqlite',
    middle: '20261121000011_limits',
    guard: 'trigger Move_no_update',
  },
  {
    name: 'the service’s database',
    open: openPaymentsDatabase,
    file: 'payments.sqlite',
    middle: '20261121000002_service',
    guard: 'index Entry_one_end',
  },
] as const

describe.each(SIDES)('$name', ({ open, file: name, middle, guard }) => {
  let folder: string
  let pristine: string
  let file: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bad-input-'))
    pristine = join(folder, 'pristine.sqlite')
    await (await open(`file:${pristine}`)).close()
  })

  beforeEach(() => {
    file = join(mkdtempSync(join(folder, 'case-')), name)
    copyFileSync(pristine, file)
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Changes the file behind the program's back, and returns the error of the next start. */
  async function refusal(change: (raw: Database.Database) => void): Promise<string> {
    const raw = new Database(file)
    raw.unsafeMode(true)
    change(raw)
    raw.close()
    const before = dump()
    const error = await open(`file:${file}`).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DatabaseProblem)
    expect(dump()).toEqual(before)
    return (error as Error).message
  }

  /** Returns the file's schema and rows. */
  function dump(): unknown[] {
    const raw = new Database(file, { readonly: true })
    const tables = raw.prepare(`SELECT "name", "sql" FROM sqlite_master ORDER BY "name"`).all() as { name: string }[]
    const rows = raw.prepare('SELECT * FROM _prisma_migrations ORDER BY migration_name').all()
    raw.close()
    return [tables, rows]
  }

  it('is refused and left unchanged if a newer version has migrated it', async () => {
    expect(
      await refusal((raw) =>
        raw.exec(
          `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name") VALUES ('x', 'y', '29990101_x')`,
        ),
      ),
    ).toMatch(/made by a newer version of Satchel \(it has the migration 29990101_x.*Start the newer version/)
  })

  it('is refused if the record of its first migration is missing', async () => {
    const first = readMigrationNames(file)[0] ?? ''
    expect(
      await refusal((raw) => raw.prepare('DELETE FROM _prisma_migrations WHERE migration_name = ?').run(first)),
    ).toMatch(new RegExp(`The migration ${first} could not be applied: .*\\. None of its changes were kept\\.`))
  })

  it('is refused if the record of a later migration is missing', async () => {
    expect(
      await refusal((raw) => raw.prepare('DELETE FROM _prisma_migrations WHERE migration_name = ?').run(middle)),
    ).toContain(`The migration ${middle} could not be applied`)
  })

  it('is refused if one of its migrations was applied with other contents', async () => {
    expect(await refusal((raw) => raw.exec(`UPDATE "_prisma_migrations" SET "checksum" = 'abc'`))).toMatch(
      /was applied with contents that differ from this version’s \(recorded abc/,
    )
  })

  it('is refused if a trigger or index is missing, which the refusal names', async () => {
    expect(await refusal((raw) => raw.exec(`DROP ${guard}`))).toContain(`${guard} is missing`)
  })

  it('is refused if one of its CHECK constraints was loosened', async () => {
    expect(
      await refusal((raw) =>
        raw.exec(
          `PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'BETWEEN 1 AND', 'BETWEEN 0 AND') WHERE name = 'Move'`,
        ),
      ),
    ).toContain('table Move was changed')
  })

  it('is refused if its file is truncated or has other contents, which stay unchanged', async () => {
    truncateSync(file, Math.floor(statSync(file).size / 2))
    await expect(open(`file:${file}`)).rejects.toBeInstanceOf(DatabaseProblem)
    writeFileSync(file, 'a letter, and no database at all; '.repeat(300))
    const letter = readFileSync(file)
    await expect(open(`file:${file}`)).rejects.toThrow(/not a SQLite database/)
    expect(readFileSync(file).equals(letter)).toBe(true)
  })
})

function readMigrationNames(file: string): string[] {
  const raw = new Database(file, { readonly: true })
  const rows = raw.prepare('SELECT migration_name AS name FROM _prisma_migrations ORDER BY migration_name').all()
  raw.close()
  return (rows as { name: string }[]).map(({ name }) => name)
}

describe('a start on a refused database', () => {
  it('ends with exit code 1, and with one sentence instead of a stack trace', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bad-start-'))
    const file = join(folder, 'payments.sqlite')
    await (await openPaymentsDatabase(`file:${file}`)).close()
    const raw = new Database(file)
    raw.exec('DROP TRIGGER "Move_no_delete"')
    raw.close()
    const cli = new URL('../../src/cli/service.ts', import.meta.url).pathname
    const env = { PATH: process.env.PATH, DATA_FOLDER: folder, SERVICE_PORT: '0' }
    const { status, stderr } = spawnSync(process.execPath, [cli], { env, encoding: 'utf8', cwd: folder })
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /^The database differs from what its migrations made: trigger Move_no_delete is missing\..*\n$/,
    )
    rmSync(folder, { recursive: true })
  })
})
