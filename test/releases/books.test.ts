import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  auditBoth,
  balancesAndLines,
  expectSoundBooks,
  goOn,
  openBoth,
  type ReleasedBooks,
  releasedFile,
  SIDES,
  type Side,
  versionsWith,
} from '../support/released-books.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'released-books-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function use<Result>(side: Side, work: (database: Database.Database) => Result): Result {
  const database = new Database(join(folder, `${side}.sqlite`))
  try {
    return work(database)
  } finally {
    database.close()
  }
}

function lay(version: string): ReleasedBooks {
  for (const side of SIDES) {
    const file = `${side}.sqlite`
    writeFileSync(join(folder, file), gunzipSync(readFileSync(releasedFile(version, `${file}.gz`))))
  }
  return {
    tipping: `file:${folder}/tipping.sqlite`,
    payments: `file:${folder}/payments.sqlite`,
    rows: async <Row>(side: Side, sql: string) => use(side, (database) => database.prepare<[], Row>(sql).all()),
    run: async (side, sql) => use(side, (database) => void database.exec(sql)),
  }
}

const released = versionsWith('tipping.sqlite.gz')

it('the books of version 0.1.0 and of an earlier version are stored for tests', () => {
  expect(released).toEqual(expect.arrayContaining(['0.1.0', 'before-0.1.0']))
})

describe.each(released)('the books of version %s', (version) => {
  it('open with the current code, which changes no balance and no line', async () => {
    const books = lay(version)
    const before = await balancesAndLines(books)
    expect(before.every((rows) => rows.length > 0)).toBe(true)
    await openBoth(books)
    expect(await balancesAndLines(books)).toEqual(before)
    // Again, as every start does.
    await openBoth(books)
    expect(await balancesAndLines(books)).toEqual(before)
  })

  it('pass their proofs, agree with each other and accept new operations', async () => {
    const books = lay(version)
    await openBoth(books)
    await expectSoundBooks(books)
    await goOn(books)
    await expectSoundBooks(books)
  })

  it('fail the audit if they were changed behind the program’s back', async () => {
    const books = lay(version)
    await books.run(
      'tipping',
      `UPDATE "Account" SET "balance" = "balance" + 1000 WHERE "kind" = 'member' AND "balance" > 0`,
    )
    await openBoth(books)
    expect((await auditBoth(books)).holds).toBe(false)
  })
})
