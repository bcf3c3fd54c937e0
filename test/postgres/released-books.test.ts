import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recreate } from '../support/postgres/databases.ts'
import { someServer } from '../support/postgres/some-server.ts'
import {
  balancesAndLines,
  expectSoundBooks,
  goOn,
  openBoth,
  type ReleasedBooks,
  releasedFile,
  versionsWith,
} from '../support/released-books.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await someServer()
}, 120_000)
afterAll(() => stop(), 60_000)

const DUMP = 'books.postgres.sql.gz'

async function use<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

async function lay(version: string): Promise<ReleasedBooks> {
  const url = await recreate('satchel_test_released')
  await use(url, gunzipSync(readFileSync(releasedFile(version, DUMP))).toString('utf8'))
  const at = (side: string) => `${url}?options=${encodeURIComponent(`-c search_path=${side}`)}`
  return {
    ...{ tipping: url, payments: url },
    rows: async (side, sql) => (await use(at(side), sql)) as never,
    run: async (side, sql) => void (await use(at(side), sql)),
  }
}

const released = versionsWith(DUMP)

it('the books of version 0.1.0 on PostgreSQL are stored for tests', () => {
  expect(released).toContain('0.1.0')
})

describe.each(released)('the books of version %s on PostgreSQL', (version) => {
  it('open with the current code, keep their balances and accept operations', async () => {
    const books = await lay(version)
    const before = await balancesAndLines(books)
    expect(before.every((rows) => rows.length > 0)).toBe(true)
    await openBoth(books)
    expect(await balancesAndLines(books)).toEqual(before)
    await expectSoundBooks(books)
    await goOn(books)
    await expectSoundBooks(books)
  })
})
