import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { audit } from '../../src/assembly/audit/audit.ts'
import { openPaymentsDatabase } from '../../src/payments-service/core/database.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { expectProvenTipping } from '../support/proven-books.ts'

const released = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((one) => one.isDirectory())

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'released-books-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const file = (side: string) => join(folder, `${side}.sqlite`)

function lay(version: string): void {
  for (const side of ['tipping', 'payments']) {
    writeFileSync(file(side), gunzipSync(readFileSync(join(import.meta.dirname, version, `${side}.sqlite.gz`))))
  }
}

/** What stands in a book, read without any code of the product. */
function read<Row>(side: string, sql: string): Row[] {
  const database = new Database(file(side), { readonly: true })
  try {
    return database.prepare<unknown[], Row>(sql).all()
  } finally {
    database.close()
  }
}

const BALANCES = 'SELECT "kind", "owner", "balance" FROM "Account" ORDER BY "kind", "owner"'
const LINES = 'SELECT COUNT(*) AS lines, SUM("amount") AS moved FROM "Move"'

async function open(): Promise<void> {
  for (const database of [
    await openTippingDatabase(`file:${file('tipping')}`),
    await openPaymentsDatabase(`file:${file('payments')}`),
  ]) {
    await database.close()
  }
}

async function auditAll() {
  const [project] = read<{ id: string }>('payments', 'SELECT "id" FROM "Project"')
  const provider = { kind: 'in the box' as const, database: `file:${file('payments')}`, projectId: project?.id }
  return await audit({ tipping: `file:${file('tipping')}`, provider, clock: new ManualClock() })
}

it('there are books of a release to open', () => {
  expect(released.map(({ name }) => name)).toContain('0.1.0')
})

describe.each(released.map(({ name }) => name))('the books of %s', (version) => {
  beforeEach(() => lay(version))

  it('are opened by the code of today, which changes no balance and no line', async () => {
    const state = () => ['tipping', 'payments'].map((side) => [read(side, BALANCES), read(side, LINES)])
    const before = state()
    expect(before.flat().every((rows) => rows.length > 0)).toBe(true)
    await open()
    expect(state()).toEqual(before)
    // Again, as every start does.
    await open()
    expect(state()).toEqual(before)
  })

  it('prove themselves and cover each other afterwards', async () => {
    await open()
    const report = await auditAll()
    expect(report).toMatchObject({ holds: true, findings: [], paused: [] })
    expect(report.cover?.wallet).toBeGreaterThan(0n)
    await expectProvenTipping({ url: `file:${file('tipping')}`, variable: 'TIPPING_DATABASE_URL' })
  })

  it('are told apart from books that were changed behind the program', async () => {
    const database = new Database(file('tipping'))
    database.exec(`UPDATE "Account" SET "balance" = "balance" + 1000 WHERE "kind" = 'member' AND "balance" > 0`)
    database.close()
    await open()
    expect((await auditAll()).holds).toBe(false)
  })
})
