import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { moveBooks } from '../../src/assembly/backup/move-books.ts'
import { confirmClock } from '../../src/assembly/confirm-clock.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { BookClock } from '../../src/lib/book-clock.ts'
import { createTimeStore } from '../../src/lib/book-time-store.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { openPaymentsDatabase } from '../../src/payments-service/core/database.ts'
import { CHART, member, WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import { openTippingDatabase, type TippingDatabase, type Tx } from '../../src/tipping/core/database.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { recreate } from '../support/postgres/databases.ts'
import { someServer } from '../support/postgres/some-server.ts'
import { untilItHolds } from '../support/until-it-holds.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await someServer()
}, 120_000)
afterAll(() => stop(), 60_000)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'move-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const AT = new Date('2030-01-02T03:04:05.678Z')

async function fill(database: TippingDatabase): Promise<void> {
  const ledger = createLedger<Tx, TippingDatabase['write']>({ database, chart: CHART, clock: new ManualClock() })
  const pay = (operation: string, who: string, amount: number) =>
    ledger.commit({
      entries: [{ operation, step: 'post', moves: [{ from: WALLET, to: member(who), amount: msats(amount) }] }],
      write: (tx) =>
        tx.member.upsert({ where: { id: who }, create: { id: who, seenAt: AT }, update: { hidden: true } }),
    })
  for (let i = 0; i < 5; i += 1) await pay(`fund-${i}`, i % 2 === 0 ? 'älice “a”\n' : 'bob', 1_000 + i)
  await ledger.commit({
    write: (tx) =>
      tx.moderationLogEntry.create({ data: { guild: 'g', member: 'bob', action: 'x', about: '{}', at: AT } }),
  })
  await ledger.close()
}

/** Returns every row of a few tables, as the program reads it. */
const seen = async ({ read }: TippingDatabase) => ({
  members: await read.member.findMany({ orderBy: { id: 'asc' } }),
  accounts: await read.account.findMany({ orderBy: { id: 'asc' } }),
  moves: await read.move.findMany({ orderBy: { id: 'asc' } }),
  log: await read.moderationLogEntry.findMany(),
})

it('a book moves from SQLite to PostgreSQL and back with every row, and stays usable', async () => {
  const [file, server, back] = [
    `file:${folder}/tipping.sqlite`,
    await recreate('satchel_test_moved'),
    `file:${folder}/back.sqlite`,
  ]
  const first = await openTippingDatabase(file)
  await fill(first)
  const all = await seen(first)
  await first.close()
  const config = { dataFolder: folder, service: {} as never }
  const [there] = await moveBooks(
    { ...config, tippingDatabaseUrl: file },
    { tipping: server, payments: undefined },
    systemClock,
  )
  expect(there?.proof).toMatchObject({ holds: true, entries: 5, moves: 5 })
  const second = await openTippingDatabase(server)
  expect(await seen(second)).toEqual(all)
  const ledger = createLedger<Tx, TippingDatabase['write']>({
    database: second,
    chart: CHART,
    clock: new ManualClock(),
  })
  const carol = { from: WALLET, to: member('carol'), amount: msats(7) }
  await ledger.commit({ entries: [{ operation: 'there', step: 'post', moves: [carol] }] })
  await expect(second.write.$transaction((tx) => tx.move.deleteMany())).rejects.toThrow('append-only')
  await ledger.close()
  const now = await seen(second)
  await second.close()
  const [home] = await moveBooks(
    { ...config, tippingDatabaseUrl: server },
    { tipping: back, payments: undefined },
    systemClock,
  )
  expect(home?.proof).toMatchObject({ holds: true, entries: 6, totals: { member: 5_017n } })
  const third = await openTippingDatabase(back)
  expect(await seen(third)).toEqual(now)
  await expect(third.write.$transaction((tx) => tx.move.deleteMany())).rejects.toThrow('constraint')
  await third.close()
})

it('a book is not copied while a bot on another machine uses it', async () => {
  const server = await recreate('satchel_test_lived_on')
  const database = await openTippingDatabase(server)
  await fill(database)
  const lease = { name: 'process:x', holder: 'x', fence: 1, renewedAt: AT }
  await database.write.$transaction((tx) => tx.lease.create({ data: lease }))
  const config = { dataFolder: folder, service: {} as never, tippingDatabaseUrl: server }
  const move = async (renews: boolean) => {
    const clock = new ManualClock()
    const moving = moveBooks(config, { tipping: `file:${folder}/there.sqlite`, payments: undefined }, clock)
    moving.catch(() => undefined)
    await untilItHolds(() => clock.nextInMs !== undefined)
    if (renews) await database.write.$transaction((tx) => tx.lease.updateMany({ data: { fence: { increment: 1 } } }))
    await clock.advance(6_000)
    return await moving
  }
  await expect(move(true)).rejects.toThrow('Stop every bot and service')
  expect(existsSync(`${folder}/there.sqlite`)).toBe(false)
  // The other book may go meanwhile.
  const service = { databaseUrl: `file:${folder}/service.sqlite` } as never
  await (await openPaymentsDatabase(`file:${folder}/service.sqlite`)).close()
  const payments = `file:${folder}/there-too.sqlite`
  expect(await moveBooks({ ...config, service }, { tipping: undefined, payments }, new ManualClock())).toHaveLength(1)
  // From here on it is the lease of a bot that died.
  expect(await move(false)).toMatchObject([{ proof: { holds: true } }])
  await database.close()
})

it('a book is not copied over another book', async () => {
  const [moved, other] = ['tipping', 'other'].map((name) => `file:${folder}/${name}.sqlite`) as [string, string]
  for (const file of [moved, other]) {
    const book = await openTippingDatabase(file)
    await fill(book)
    await book.close()
  }
  const server = await recreate('satchel_test_taken')
  const move = (file: string) =>
    moveBooks(
      { dataFolder: folder, service: {} as never, tippingDatabaseUrl: file },
      { tipping: server, payments: undefined },
      systemClock,
    )
  await move(moved)
  await expect(move(other)).rejects.toThrow('already holds 5 entries')
})

it('the clock of a copied book’s new machine is trusted once an operator confirms it', async () => {
  const file = `file:${folder}/tipping.sqlite`
  const first = await openTippingDatabase(file)
  await first.write.$transaction((tx) => tx.bookTime.create({ data: { id: 1, at: AT } }))
  await first.close()
  const url = await recreate('satchel_test_clock')
  const clock = new ManualClock(AT.getTime() + 40 * 24 * 3_600_000)
  const config = { provider: {} as never, service: {} as never, dataFolder: folder, tippingDatabaseUrl: file }
  await moveBooks(config, { tipping: url, payments: undefined }, clock)
  const database = await openTippingDatabase(url)
  const store = createTimeStore<Tx>({
    tableOf: ({ bookTime }) => bookTime,
    read: database.read,
    write: (run) => database.write.$transaction(run),
    tell: async () => undefined,
  })
  const trusts = async () => {
    const time = new BookClock(clock)
    await time.load(store)
    return time.isSteady()
  }
  expect(await trusts()).toBe(false)
  expect(await confirmClock({ ...config, tippingDatabaseUrl: url }, clock)).toEqual([{ side: 'bot', at: AT }])
  expect((await database.read.bookTime.findFirst())?.confirmedAt).toEqual(new Date(clock.now()))
  expect(await trusts()).toBe(true)
  await database.close()
})

it('the command `satchel move` copies a book', async () => {
  const file = `file:${folder}/tipping.sqlite`
  const first = await openTippingDatabase(file)
  await fill(first)
  await first.close()
  const server = await recreate('satchel_test_commanded')
  const script = join(import.meta.dirname, '../../src/cli/move.ts')
  const env = { PATH: process.env.PATH, DATA_FOLDER: folder }
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--tipping', server], { cwd: folder, env })
  expect(stdout).toContain('TIPPING_DATABASE_URL: 5 entries and 3 accounts were copied; both proofs are equal.')
  expect(stdout).not.toContain(server)
})
