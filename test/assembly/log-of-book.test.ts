import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/lib/database/database.ts'
import { PrismaClient } from '../../src/tipping/generated/client.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { smallBooks } from './small-books.ts'

describe('the SQLite log of a book', () => {
  it('is written into the book’s file after 5 minutes', async () => {
    const { above } = await smallBooks()
    const [file, copy] = [join(above, 'log.sqlite'), join(above, 'copy.sqlite')]
    const clock = new ManualClock()
    const database = await openDatabase({
      ...{ url: `file:${file}`, variable: 'TIPPING_DATABASE_URL', clock },
      folder: join(import.meta.dirname, '../../prisma/tipping'),
      connect: (adapter) => new PrismaClient({ adapter }),
    })
    await database.write.$transaction((tx) => tx.opening.create({ data: { id: 1, amount: 0n, at: new Date(0) } }))
    const rows = () => {
      copyFileSync(file, copy)
      const without = new Database(copy)
      try {
        return without.prepare('SELECT count(*) FROM "Opening"').pluck().get()
      } finally {
        without.close()
      }
    }
    await clock.advance(299_000)
    expect(rows()).toBe(0)
    await clock.advance(1_000)
    expect(rows()).toBe(1)
    await database.close()
  })
})
