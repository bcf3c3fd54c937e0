import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moveBooks } from '../../src/assembly/backup/move-books.ts'
import { restoreInPlace } from '../../src/assembly/backup/restore-in-place.ts'
import { parseConfig } from '../../src/config/config.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { lockFolder } from '../../src/lib/folder-lock.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { CHART, voucherEscrow, wallet } from '../../src/payments-service/core/chart-of-accounts.ts'
import {
  openPaymentsDatabase,
  type PaymentsClient,
  type PaymentsDatabase,
  type Tx,
} from '../../src/payments-service/core/database.ts'
import { openTippingDatabase, type TippingDatabase } from '../../src/tipping/core/database.ts'
import { PROJECT, type SmallBooks, smallBooks } from '../assembly/small-books.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { recreate } from '../support/postgres/databases.ts'
import { someServer } from '../support/postgres/some-server.ts'
import { untilItHolds } from '../support/until-it-holds.ts'

/** Two small books that a server's own tools have restored. */

let books: SmallBooks
let tipping: string
let payments: string
let bot: TippingDatabase
let service: PaymentsDatabase
const clock = new ManualClock()
const madeAt = new Date(clock.now())
const paused = { madeAt, notPaused: false, clock }

let stop: () => Promise<void>

beforeAll(async () => {
  stop = await someServer()
  books = await smallBooks()
  tipping = await recreate('satchel_test_in_place_bot')
  payments = await recreate('satchel_test_in_place_service')
  await moveBooks(books.config, { tipping, payments }, clock)
  bot = await openTippingDatabase(tipping)
  service = await openPaymentsDatabase(payments)
  const voucher = { code: 'code', projectId: 'p', amount: 1_000n, fee: 0n, description: '', createdAt: madeAt }
  const claims = { walletSecret: 'secret', walletAmount: 900n, createTransactionId: 't' }
  await service.write.$transaction((tx) => tx.voucher.create({ data: { id: 'v', ...voucher, ...claims } }))
}, 120_000)
afterAll(async () => {
  await bot.close()
  await service.close()
  await stop()
})

const both = (change: Record<string, string> = {}) =>
  parseConfig({
    ...{ DATA_FOLDER: books.folder, TIPPING_DATABASE_URL: tipping, PAYMENTS_DATABASE_URL: payments },
    ...change,
  })
const pauses = async () =>
  (await bot.read.outgoingPause.findMany({ where: { until: null }, orderBy: { source: 'asc' } })).map(
    ({ source, reason }) => [source, reason],
  )

describe('a restore in place', () => {
  it('is refused and pauses nothing if a book is in use or has faults', async () => {
    const lease = { name: 'process:x', holder: 'x', fence: 1, renewedAt: madeAt }
    await service.write.$transaction((tx) => tx.lease.create({ data: lease }))
    const refused = restoreInPlace(both(), paused)
    refused.catch(() => undefined)
    await untilItHolds(() => clock.nextInMs !== undefined)
    await service.write.$transaction((tx) => tx.lease.updateMany({ data: { fence: { increment: 1 } } }))
    await clock.advance(6_000)
    await expect(refused).rejects.toThrow('Stop every bot and service')
    await service.write.$transaction((tx) => tx.lease.deleteMany())
    // A voucher whose sats nobody holds.
    await expect(restoreInPlace(both(), paused)).rejects.toThrow(
      /^The books in the backup have faults:\n {2}- service: .*\nStart nothing on these books\. Use another backup\.$/,
    )
    expect(await pauses()).toEqual([])
    lockFolder(books.folder, 'bot', 'service')()
  })

  it('covers only the bot’s book if the provider is remote', async () => {
    const elsewhere = both({ PAYMENTS_BASE_URL: 'https://pay.example.org', PAYMENTS_API_KEY: 'key' })
    // Of this very moment: nothing was paid since.
    expect(await restoreInPlace(elsewhere, paused)).toEqual({
      toDo: [],
      closed: { vouchers: 0, withdrawalRequests: 0, logIns: 0 },
    })
    expect(await pauses()).toEqual([
      ['operator', expect.stringMatching(/^the books were restored from a backup of 2030-01-01 00:00 UTC, and/)],
      ['restore', expect.stringMatching(/^the books were restored from a backup of 2030-01-01 00:00 UTC and/)],
    ])
    expect(await service.read.voucher.count({ where: { walletSecret: null } })).toBe(0)
    lockFolder(books.folder, 'bot', 'service')()
  })

  it('stops outside wallets from redeeming codes, and lists the remaining steps', async () => {
    const ledger = createLedger<Tx, PaymentsClient>({ database: service, chart: CHART, clock })
    const project = wallet({ kind: 'project', id: PROJECT })
    const moves = [{ from: project, to: voucherEscrow('v'), amount: msats(1_000n) }]
    await ledger.commit({ entries: [{ operation: 'voucher:v', step: 'post', moves }] })
    await ledger.close()
    await bot.write.$transaction((tx) => tx.outgoingPause.updateMany({ data: { until: madeAt } }))
    const { toDo, closed } = await restoreInPlace(both(), { ...paused, notPaused: true })
    expect(closed).toEqual({ vouchers: 1, withdrawalRequests: 0, logIns: 0 })
    // The key of the bot's project is in the data folder.
    expect(toDo).toMatchObject([{ side: 'bot', what: expect.stringMatching(/wallet holds 4 sats, 1 less than/) }])
    expect((await pauses()).map(([source]) => source)).toEqual(['restore'])
  })

  it('covers both books even if only one of them is on a server', async () => {
    // Those that were moved are marked where they were.
    const files = await smallBooks()
    const service = both({ TIPPING_DATABASE_URL: files.tipping })
    expect(await restoreInPlace(service, paused)).toMatchObject({ toDo: [{ side: 'bot' }] })
    const bot = both({ PAYMENTS_DATABASE_URL: files.payments })
    expect(await restoreInPlace(bot, paused)).toEqual({
      toDo: [],
      closed: { vouchers: 0, withdrawalRequests: 0, logIns: 0 },
    })
  })

  it('is refused while a bot or a service has locked the data folder', async () => {
    for (const side of ['bot', 'service']) {
      const unlock = lockFolder(books.folder, side)
      await expect(restoreInPlace(both(), paused).finally(unlock)).rejects.toThrow('in use by another process')
    }
  })
})
