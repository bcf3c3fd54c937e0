import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { watchServiceBook } from '../../src/assembly/audit/watch-service-book.ts'
import { isInUse } from '../../src/lib/database/sqlite/copy-databases.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { untilItHolds } from '../support/until-it-holds.ts'
import { type SmallBooks, smallBooks } from './small-books.ts'

function watch({ payments }: SmallBooks) {
  const clock = new ManualClock()
  const log: Record<string, unknown>[] = []
  const pauses: { operator: string; reason: string }[] = []
  const administration = {
    pause: async (pause: { operator: string; reason: string }) => void pauses.push(pause),
    status: async () => ({
      ...{ proven: undefined, inFlight: { count: 0, oldestSince: undefined } },
      paused: pauses.at(-1) && { source: 'operator' as const, reason: pauses.at(-1)?.reason ?? '' },
    }),
  }
  const destination = { write: (line: string) => void log.push(JSON.parse(line)) }
  const logger = createLogger({ level: 'info', name: 'test', destination })
  const parts = { database: payments, tipping: { administration }, clock, logger, everyMs: 60_000 }
  const watching = watchServiceBook(parts)
  return {
    clock,
    log,
    pauses,
    close: () => watching.close(),
    rested: () => untilItHolds(() => clock.nextInMs === 60_000),
  }
}

it('each new fault in the service’s book pauses payments once and is logged', async () => {
  const books = await smallBooks()
  const { clock, log, pauses, close, rested } = watch(books)
  await rested()
  expect([pauses, log]).toEqual([[], []])
  const stray = (id: number, owner: string) =>
    `INSERT INTO "Account" ("id", "kind", "owner", "balance") VALUES (${id}, 'wallet', 'user:${owner}', 1)`
  books.spoil('payments.sqlite', `${stray(7, 'zoe')}; ${stray(-7, 'x'.repeat(400))}`)
  await clock.advance(60_000)
  await rested()
  const first = 'all balances together are 2 msats, not 0'
  expect(pauses).toEqual([{ operator: 'audit', reason: `the service’s book does not prove right: ${first}` }])
  expect(log).toMatchObject([
    { level: 'error', msg: 'the service’s book does not prove right', faults: expect.arrayContaining([first]) },
  ])
  expect(log[0]?.faults).toContain('wallet user:zoe shows 1 msats, but its moves make 0')
  await clock.advance(60_000)
  await rested()
  expect(pauses).toHaveLength(1)
  // The new fault differs, and its text is too long: a pause shows as much as fits.
  books.spoil(
    'payments.sqlite',
    `UPDATE "Account" SET "balance" = 0 WHERE "owner" = 'user:zoe';
     UPDATE "Account" SET "balance" = "balance" - 1 WHERE "kind" = 'node'`,
  )
  await clock.advance(60_000)
  await rested()
  expect(pauses).toHaveLength(2)
  expect(pauses[1]?.reason).toHaveLength(300)
  await close()
  expect(isInUse(`${books.folder}/payments.sqlite`)).toBe(false)
})

it('a failed read of the service’s book is logged and retried, but pauses nothing', async () => {
  const books = await smallBooks()
  rmSync(`${books.folder}/payments.sqlite`)
  const { clock, log, pauses, close, rested } = watch(books)
  await rested()
  const said = {
    ...{ level: 'error', msg: 'the service’s book could not be audited; it will be tried again' },
    err: { message: expect.stringContaining('There is no database at') },
  }
  expect(log).toMatchObject([said])
  await clock.advance(60_000)
  await rested()
  expect(log).toMatchObject([said, said])
  expect(pauses).toEqual([])
  await close()
})
