import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Config, parseConfig } from '../../src/config/config.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { readMigrations } from '../../src/lib/database/engine/migrations.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { NODE, CHART as SERVICE_CHART, wallet } from '../../src/payments-service/core/chart-of-accounts.ts'
import {
  openPaymentsDatabase,
  type PaymentsClient,
  type Tx as PaymentsTx,
} from '../../src/payments-service/core/database.ts'
import { CHART as BOT_CHART, member, WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import { openTippingDatabase, type TippingClient, type Tx as TippingTx } from '../../src/tipping/core/database.ts'
import { ManualClock } from '../support/manual-clock.ts'

/** The bot's project at the bundled service. */
export const PROJECT = 'project-1'
const AT = new Date('2030-01-01T00:00:00.000Z')

/** The names of the files in a data folder that contain books, a network or a key. */
export const NAMES = ['tipping.sqlite', 'payments.sqlite', 'lightning-sandbox.sqlite', 'own-project.json'] as const

/**
 * Two small books in a data folder, with a network and a key beside them, as a bot and the bundled service leave them.
 * The books are made without running a bot or a service, so each test can have its own books. Alice has 5,000 msats,
 * which the bot's wallet holds.
 */
export interface SmallBooks {
  /** This test's folder, which contains the data folder and others. */
  readonly above: string
  readonly folder: string
  readonly config: Config
  readonly tipping: string
  readonly payments: string
  /** Writes into the bot's book as the bot does; `service` does the same for the service's book. */
  bot(write: (tx: TippingTx) => Promise<unknown>): Promise<void>
  service(write: (tx: PaymentsTx) => Promise<unknown>): Promise<void>
  /** Changes a book behind the program's back. */
  spoil(name: string, sql: string): void
}

let made: Promise<string> | undefined
const folders: string[] = []
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export async function smallBooks(): Promise<SmallBooks> {
  made ??= make()
  const above = mkdtempSync(join(tmpdir(), 'small-'))
  folders.push(above)
  const folder = join(above, 'data')
  cpSync(await made, folder, { recursive: true })
  const [tipping, payments] = [`file:${folder}/tipping.sqlite`, `file:${folder}/payments.sqlite`]
  return {
    ...{ above, folder, tipping, payments },
    config: parseConfig({ DATA_FOLDER: folder }),
    async bot(write) {
      const database = await openTippingDatabase(tipping)
      await database.write.$transaction(write).finally(() => database.close())
    },
    async service(write) {
      const database = await openPaymentsDatabase(payments)
      await database.write.$transaction(write).finally(() => database.close())
    },
    spoil(name, sql) {
      const database = new Database(join(folder, name))
      database.exec(sql)
      database.close()
    },
  }
}

async function make(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'small-books-'))
  folders.push(folder)
  const [clock, amount] = [new ManualClock(), msats(5_000n)]
  const tipping = await openTippingDatabase(`file:${folder}/tipping.sqlite`)
  const bot = createLedger<TippingTx, TippingClient>({ database: tipping, chart: BOT_CHART, clock })
  await bot.commit({
    entries: [{ operation: 'fund', step: 'post', moves: [{ from: WALLET, to: member('alice'), amount }] }],
    write: (tx) => tx.opening.create({ data: { id: 1, amount: 0n, at: AT } }),
  })
  await bot.close()
  await tipping.close()
  const payments = await openPaymentsDatabase(`file:${folder}/payments.sqlite`)
  const service = createLedger<PaymentsTx, PaymentsClient>({ database: payments, chart: SERVICE_CHART, clock })
  const project = wallet({ kind: 'project', id: PROJECT })
  await service.commit({ entries: [{ operation: 'fund', step: 'post', moves: [{ from: NODE, to: project, amount }] }] })
  await service.close()
  await payments.close()
  new Database(join(folder, 'lightning-sandbox.sqlite')).exec('CREATE TABLE "Node" ("id" INTEGER)').close()
  const key = { projectId: PROJECT, apiKey: 'key', callbackSecret: 'secret' }
  writeFileSync(join(folder, 'own-project.json'), JSON.stringify(key))
  return folder
}

/** Replaces a book by one as the version before the last migration left it. */
export function olderBook(file: string, side: string, use: string): void {
  const made = new Database(file)
  const table = made.prepare(`SELECT "sql" FROM "sqlite_master" WHERE "name" = '_prisma_migrations'`).pluck().get()
  made.close()
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  const database = new Database(file)
  database.exec(String(table))
  const record = database.prepare(
    'INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name") VALUES (?, ?, ?)',
  )
  for (const { name, sql: text, checksum } of readMigrations(migrationsOf(side)).slice(0, -1)) {
    database.exec(text)
    record.run(checksum.slice(0, 36), checksum, name)
  }
  database.exec(use).close()
}

const migrationsOf = (side: string) => join(import.meta.dirname, `../../prisma/${side}/migrations`)
