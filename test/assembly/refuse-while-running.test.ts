import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { moveBooks } from '../../src/assembly/backup/move-books.ts'
import { refuseWhileRunning } from '../../src/assembly/backup/refuse-while-running.ts'
import { isInUse } from '../../src/lib/database/sqlite/copy-databases.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { untilItHolds } from '../support/until-it-holds.ts'
import { type SmallBooks, smallBooks } from './small-books.ts'

/** Tests commands that need the books to themselves. */

const FILES = ['tipping.sqlite', 'payments.sqlite'] as const
const letGo = ({ folder }: SmallBooks) => FILES.every((name) => !isInUse(`${folder}/${name}`))
const AT = new Date(0)

/**
 * Returns the statement that adds the lease of a process or of a job to a book; `beat` renews the lease, as a living
 * owner does.
 */
const lease = (name: string) => `INSERT INTO "Lease" VALUES ('${name}', 'x', 1, '${AT.toISOString()}')`
const beat = `UPDATE "Lease" SET "fence" = "fence" + 1`

describe('a command that must run alone', () => {
  it('starts immediately if no process uses its books', async () => {
    const books = await smallBooks()
    const clock = new ManualClock()
    // A job alone belongs to nobody.
    for (const name of FILES) books.spoil(name, lease('upkeep'))
    await refuseWhileRunning(books, clock)
    expect(clock.pending).toBe(0)
    expect(letGo(books)).toBe(true)
  })

  it.each(FILES)('starts after 6 seconds if a dead process left its lease in %s', async (name) => {
    const books = await smallBooks()
    const clock = new ManualClock()
    books.spoil(name, lease('process:x'))
    const refusing = refuseWhileRunning(books, clock)
    await untilItHolds(() => clock.nextInMs === 6_000)
    await clock.advance(6_000)
    await refusing
    expect(letGo(books)).toBe(true)
  })
})

describe('a command that must not run beside another process', () => {
  it.each(FILES)('is refused if the other process works on %s', async (name) => {
    const books = await smallBooks()
    const clock = new ManualClock()
    books.spoil(name, lease('process:x'))
    const refusing = refuseWhileRunning(books, clock)
    refusing.catch(() => undefined)
    await untilItHolds(() => clock.nextInMs === 6_000)
    books.spoil(name, beat)
    await clock.advance(6_000)
    await expect(refusing).rejects.toThrow(
      /^A bot or a service is using these books\. Stop every bot and service that uses them, then run this again\.$/,
    )
    expect(letGo(books)).toBe(true)
  })

  it('is allowed if the other process uses none of the command’s books', async () => {
    const books = await smallBooks()
    const clock = new ManualClock()
    for (const name of FILES) books.spoil(name, lease('process:x'))
    const none = { tipping: undefined, payments: undefined }
    await refuseWhileRunning(none, clock)
    expect(clock.pending).toBe(0)
    for (const [i, name] of FILES.entries()) {
      const one = i === 0 ? { ...none, payments: books.payments } : { ...none, tipping: books.tipping }
      const refusing = refuseWhileRunning(one, clock)
      await untilItHolds(() => clock.nextInMs === 6_000)
      books.spoil(name, beat)
      await clock.advance(6_000)
      await refusing
    }
  })

  it('is refused if a book is missing, and the book is not created', async () => {
    const books = await smallBooks()
    for (const side of ['tipping', 'payments'] as const) {
      const none = { ...{ tipping: undefined, payments: undefined }, [side]: `file:${books.above}/none.sqlite` }
      await expect(refuseWhileRunning(none, new ManualClock())).rejects.toThrow('There is no database at')
      expect(existsSync(`${books.above}/none.sqlite`)).toBe(false)
    }
  })
})

describe('a book that changes during a move', () => {
  afterEach(() => vi.restoreAllMocks())

  /** Makes another process add an account to a book just after the book's rows have been copied. */
  function interfere(copy: string, changed: string): void {
    const { exec } = Database.prototype
    const spy = vi.spyOn(Database.prototype, 'exec').mockImplementation(function (this: Database.Database, sql) {
      const done = exec.call(this, sql)
      if (sql === 'COMMIT' && this.name === copy && isFilled(copy)) {
        spy.mockRestore()
        new Database(changed)
          .exec(`INSERT INTO "Account" ("kind", "owner", "balance") VALUES ('member', 'zoe', 0)`)
          .close()
      }
      return done
    })
  }

  function isFilled(file: string): boolean {
    const database = new Database(file, { readonly: true })
    try {
      return database.prepare('SELECT 1 FROM "Entry"').get() !== undefined
    } finally {
      database.close()
    }
  }

  it.each(['at its old place', 'at its new place'])('is not moved if the change is made %s', async (where) => {
    const { above, folder, config } = await smallBooks()
    const copy = `${above}/new.sqlite`
    interfere(copy, where === 'at its new place' ? copy : `${folder}/tipping.sqlite`)
    const moving = moveBooks(config, { tipping: `file:${copy}`, payments: undefined }, new ManualClock())
    await expect(moving).rejects.toThrow(
      'The book in TIPPING_DATABASE_URL changed while it was being copied: a bot or a service is still using it. Stop the bot and the service, remove the copy, and move the book again. The book itself is untouched.',
    )
  })
})
