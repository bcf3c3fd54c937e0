import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fileOfUrl } from '../../src/lib/database/database.ts'
import { isPostgres } from '../../src/lib/database/url-kinds.ts'
import { member } from '../../src/tipping/core/chart-of-accounts.ts'
import { move, openBook, type TestBook } from './book.ts'

let book: TestBook

beforeEach(async () => {
  book = await openBook()
  await book.fund('alice', 1_000)
})

afterEach(() => book.close())

/**
 * Tries to write, as another process would, after each read in this process. Returns the result of each attempt, and a
 * function that stops the attempts.
 */
function watchReadings(): { attempts: string[]; stop: () => void } {
  const other = new Sqlite(fileOfUrl(book.database), { timeout: 0 })
  const statements = Object.getPrototypeOf(other.prepare('SELECT 1')) as { all: (...values: unknown[]) => unknown[] }
  const { all } = statements
  const attempts: string[] = []
  const spy = vi.spyOn(statements, 'all').mockImplementation(function (this: unknown, ...values) {
    const rows = all.apply(this as never, values)
    attempts.push(attempt())
    return rows
  })
  const attempt = () => {
    try {
      other.exec(`INSERT INTO "Account" ("kind", "owner") VALUES ('member', 'neighbour ${attempts.length}')`)
      return 'written'
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const stop = () => {
    spy.mockRestore()
    other.close()
  }
  return { attempts, stop }
}

it.each([
  ['a change that consists of data alone', {}],
  ['a change that also runs its own statements', { write: () => Promise.resolve() }],
])('a batch takes the lock before it reads anything: %s', async (_, own) => {
  // On a server each transaction begins with its own lock.
  if (isPostgres(book.database.url)) return
  const { attempts, stop } = watchReadings()
  const entries = [{ operation: 'tip', step: 'post', moves: [move('alice', 'bob', 400)] }]
  await book.ledger.commit({ entries, ...own }).finally(stop)
  expect(new Set(attempts)).toEqual(new Set(['SQLITE_BUSY']))
  expect(await book.ledger.balance(member('bob'))).toBe(400n)
})
