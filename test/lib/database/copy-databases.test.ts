import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { copyDatabases } from '../../../src/lib/database/sqlite/copy-databases.ts'
import { openSnapshots } from '../../../src/lib/database/sqlite/snapshots.ts'

let folder: string
let opened: Database.Database[]
const file = (name: string) => join(folder, name)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'satchel-copies-'))
  opened = []
  for (const name of ['bot', 'service']) {
    open(name).exec('PRAGMA journal_mode = WAL; CREATE TABLE "entry" ("sats" INTEGER NOT NULL)')
  }
})
afterEach(() => {
  for (const each of opened) each.close()
  rmSync(folder, { recursive: true, force: true })
})

function open(name: string): Database.Database {
  const database = new Database(file(name), { timeout: 0 })
  opened.push(database)
  return database
}

const isFree = (database: Database.Database) => {
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return true
  } catch {
    return false
  }
}

it('a database copy waits for the calling thread’s transaction and has mode 600', async () => {
  const writer = open('service')
  writer.exec('BEGIN IMMEDIATE; INSERT INTO "entry" VALUES (7)')
  const copied = copyDatabases(['bot', 'service'].map((name) => ({ from: file(name), to: file(`${name}.copy`) })))
  writer.exec('COMMIT')
  await copied
  expect(open('service.copy').prepare('SELECT "sats" FROM "entry"').pluck().all()).toEqual([7])
  expect(statSync(file('bot.copy')).mode & 0o777).toBe(0o600)
})

it('a snapshot fails with SQLITE_BUSY and keeps no locks if one database is locked', () => {
  open('service').exec('BEGIN IMMEDIATE')
  const snapshot = () => openSnapshots([file('bot'), file('service')], 2)
  expect(snapshot).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }))
  expect(isFree(open('bot'))).toBe(true)
})

it('a snapshot lets other connections write and does not show their new rows', () => {
  const snapshots = openSnapshots([file('bot'), file('service')])
  opened.push(...snapshots)
  for (const name of ['bot', 'service']) open(name).exec('INSERT INTO "entry" VALUES (7)')
  expect(snapshots.map((each) => each.prepare('SELECT COUNT(*) FROM "entry"').pluck().get())).toEqual([0, 0])
})

it('copying a missing database fails with SQLite’s error code', async () => {
  const missing = [{ from: file('nothing'), to: file('copy') }]
  await expect(copyDatabases(missing)).rejects.toMatchObject({ code: 'SQLITE_CANTOPEN' })
})
