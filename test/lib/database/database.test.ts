import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/lib/database/database.ts'
import { DatabaseProblem } from '../../../src/lib/database/engine/migrations.ts'
import { PrismaClient } from '../../../src/tipping/generated/client.ts'

let folder: string
let migrations: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'database-'))
  migrations = join(folder, 'migrations')
  file = join(folder, 'book.sqlite')
  cpSync('prisma/tipping/migrations/20261121000001_books', join(migrations, '20261121000001_books'), {
    recursive: true,
  })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (url = `file:${file}`) =>
  openDatabase<PrismaClient>({
    url,
    variable: 'TIPPING_DATABASE_URL',
    folder,
    connect: (adapter) => new PrismaClient({ adapter }),
  })

async function problem(url?: string): Promise<string> {
  const error = await open(url).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(DatabaseProblem)
  return error.message
}

/** Opens the database once, and then lets `change` alter the file behind Satchel's back. */
async function tampered(change: (raw: Sqlite.Database) => void): Promise<void> {
  await (await open()).close()
  const raw = new Sqlite(file)
  raw.unsafeMode(true)
  change(raw)
  raw.close()
}

describe('opening a database', () => {
  it('creates the folder and the file and applies every migration once', async () => {
    file = join(folder, 'deep/er/book.sqlite')
    await (await open()).close()
    const database = await open()
    const applied = await database.read.$queryRaw`SELECT migration_name FROM _prisma_migrations`
    expect(applied).toEqual([{ migration_name: '20261121000001_books' }])
    await database.close()
  })

  it('succeeds for two processes that start at the same time', async () => {
    const script = `import { openTippingDatabase } from './src/tipping/core/database.ts'
      await (await openTippingDatabase('file:${file}')).close()`
    const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    await Promise.all([start(), start()])
    const raw = new Sqlite(file, { readonly: true })
    const applied = raw.prepare('SELECT migration_name AS name, finished_at AS at FROM _prisma_migrations').all()
    const names = applied.map((row) => (row as { name: string }).name)
    expect(names.length).toBeGreaterThan(1)
    expect(new Set(names).size).toBe(names.length)
    expect(applied.every((row) => (row as { at: unknown }).at !== null)).toBe(true)
    expect(raw.pragma('integrity_check', { simple: true })).toBe('ok')
    raw.close()
  })

  it('returns a writing connection with full sync, WAL and foreign keys', async () => {
    const database = await open()
    expect(await database.write.$queryRaw`PRAGMA synchronous`).toEqual([{ synchronous: 2n }])
    expect(await database.write.$queryRaw`PRAGMA foreign_keys`).toEqual([{ foreign_keys: 1n }])
    expect(await database.write.$queryRaw`PRAGMA journal_mode`).toEqual([{ journal_mode: 'wal' }])
    await database.close()
  })

  it('returns a reading connection that cannot write', async () => {
    const database = await open()
    await expect(database.read.account.create({ data: { kind: 'member', owner: 'x' } })).rejects.toThrow(
      /readonly|query_only/,
    )
    expect(await database.read.account.count()).toBe(0)
    await database.close()
  })
})

describe('opening a database fails with an explanation if', () => {
  it('the URL is not that of a SQLite file', async () => {
    expect(await problem('mysql://somewhere')).toContain('TIPPING_DATABASE_URL must be a SQLite file')
  })

  it('the file is not a database', async () => {
    writeFileSync(file, 'this is a letter to grandmother, not a database '.repeat(100))
    expect(await problem()).toContain('not a SQLite database')
  })

  it('a page of the file was overwritten', async () => {
    await (await open()).close()
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill('Z', bytes.length - 8192))
    expect(await problem()).toMatch(/book\.sqlite could not be opened: .*it is damaged\. Restore a backup/)
  })

  it('there is a folder with the name of the file', async () => {
    mkdirSync(file)
    expect(await problem()).toMatch(/book\.sqlite could not be opened: there is a folder with that name\. Move it away/)
  })

  it('the folder cannot be created', async () => {
    writeFileSync(join(folder, 'occupied'), '')
    expect(await problem(`file:${folder}/occupied/book.sqlite`)).toContain('could not be opened')
  })

  // Root may write everywhere, so there it would find no lock.
  it.skipIf(process.getuid?.() === 0)('there is no permission to write to the folder', async () => {
    mkdirSync(join(folder, 'locked'))
    chmodSync(join(folder, 'locked'), 0o500)
    expect(await problem(`file:${folder}/locked/book.sqlite`)).toContain('no permission')
  })

  it('the database was migrated by a newer version of Satchel', async () => {
    cpSync(join(migrations, '20261121000001_books'), join(migrations, '20991231000000_future'), { recursive: true })
    writeFileSync(join(migrations, '20991231000000_future/migration.sql'), 'CREATE TABLE "Future" ("id" TEXT)')
    await (await open()).close()
    rmSync(join(migrations, '20991231000000_future'), { recursive: true })
    expect(await problem()).toContain('newer version of Satchel (it has the migration 20991231000000_future')
  })

  it('the file of an applied migration has different contents now', async () => {
    await tampered((raw) => raw.exec(`UPDATE _prisma_migrations SET checksum = 'abc'`))
    expect(await problem()).toContain('20261121000001_books was applied with contents that differ from this version’s')
  })

  it('a migration fails and is undone', async () => {
    await (await open()).close()
    const broken = join(migrations, '20261122000000_broken')
    mkdirSync(broken)
    writeFileSync(join(broken, 'migration.sql'), 'CREATE TABLE "Half" ("id" TEXT); CREATE TABLE "Half" ("id" TEXT);')
    expect(await problem()).toMatch(/20261122000000_broken could not be applied: .*\. None of its changes were kept\./)
    const raw = new Sqlite(file)
    expect(raw.prepare(`SELECT name FROM sqlite_master WHERE name = 'Half'`).all()).toEqual([])
    raw.close()
  })

  it('a trigger and an index are missing', async () => {
    await tampered((raw) => raw.exec('DROP TRIGGER "Move_no_update"; DROP INDEX "Entry_one_end"'))
    const message = await problem()
    expect(message).toContain('trigger Move_no_update is missing')
    expect(message).toContain('index Entry_one_end is missing')
  })

  it('a CHECK constraint of a table was changed', async () => {
    await tampered((raw) =>
      raw.exec(
        `PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'BETWEEN 1 AND', 'BETWEEN 0 AND') WHERE name = 'Move'`,
      ),
    )
    expect(await problem()).toContain('table Move was changed')
  })
})
