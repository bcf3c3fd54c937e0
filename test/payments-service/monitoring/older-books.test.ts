import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../../../src/lib/database/database.ts'
import { openPaymentsDatabase, type PaymentsClient } from '../../../src/payments-service/core/database.ts'
import { PrismaClient } from '../../../src/payments-service/generated/client.ts'

const MIGRATIONS = 'prisma/payments/migrations'
/** The name of the migration that begins to count the cost of sending. */
const ROUTING_FEES = '20261122000050_routing_fees'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'older-book-'))
  file = join(folder, 'payments.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Creates a book as left by an older service, which had only the migrations before this one. */
async function olderBook(fill: (raw: Sqlite.Database) => void): Promise<void> {
  for (const name of readdirSync(MIGRATIONS).filter((each) => /^\d/.test(each) && each < ROUTING_FEES)) {
    cpSync(join(MIGRATIONS, name), join(folder, 'migrations', name), { recursive: true })
  }
  const connect = (adapter: ConstructorParameters<typeof PrismaClient>[0]['adapter']) =>
    new PrismaClient({ adapter: adapter as never })
  const about = { url: `file:${file}`, variable: 'PAYMENTS_DATABASE_URL', folder }
  await (await openDatabase<PaymentsClient>({ ...about, connect })).close()
  const raw = new Sqlite(file)
  fill(raw)
  raw.close()
}

/** Adds a payment of 100 sats with a fee limit of 10 sats, as the older book stored it. */
function addPayment(raw: Sqlite.Database, id: string, status: string, fee: bigint | null): void {
  raw
    .prepare(
      `INSERT INTO "Payment" ("id", "kind", "payerKind", "payerId", "paymentHash", "amount", "maxFee", "fee", "status",
      "description", "internalId", "callbackUrl", "createdAt") VALUES (?, 'invoice', 'project', 'p', ?, 100000, 10000, ?, ?, '', '', '', 0)`,
    )
    .run(id, `hash of ${id}`, fee, status)
}

/** Adds the end of a payment whose fee exceeded its limit, so that the operator bears the excess. */
function addLoss(raw: Sqlite.Database, id: string, absorbed: bigint): void {
  const { lastInsertRowid: entry } = raw
    .prepare(`INSERT INTO "Entry" ("operation", "step", "at") VALUES (?, 'post', 0)`)
    .run(`payment:${id}`)
  const move = raw.prepare(`INSERT INTO "Move" ("entryId", "fromId", "toId", "amount") VALUES (?, ?, ?, ?)`)
  move.run(entry, IN_FLIGHT, NODE, 110_000n)
  move.run(entry, OPERATOR, NODE, absorbed)
}

const [NODE, OPERATOR, IN_FLIGHT] = [1, 2, 3]

it('the fees that payers paid and the operator’s losses in an older book are counted', async () => {
  await olderBook((raw) => {
    const account = raw.prepare(`INSERT INTO "Account" ("id", "kind", "owner", "balance") VALUES (?, ?, ?, 0)`)
    account.run(NODE, 'node', '')
    account.run(OPERATOR, 'operator', '')
    account.run(IN_FLIGHT, 'in_flight', 'project:p')
    addPayment(raw, 'cheap', 'completed', 1_500n)
    addPayment(raw, 'inside', 'completed', 0n)
    addPayment(raw, 'dear', 'completed', 10_000n)
    addLoss(raw, 'dear', 4_000n)
    addPayment(raw, 'failed', 'failed', null)
    addPayment(raw, 'open', 'sending', null)
  })
  const database = await openPaymentsDatabase(`file:${file}`)
  const fees = async () =>
    Object.fromEntries(
      (await database.read.routingFee.findMany()).map(({ kind, total, payments }) => [kind, [total, payments]]),
    )
  expect(await fees()).toEqual({ charged: [11_500n, 2], absorbed: [4_000n, 1], untold: [0n, 0] })
  // A payment that the older service left open counts when it ends.
  await database.write.payment.update({ where: { id: 'open' }, data: { status: 'completed', fee: 700n } })
  expect(await fees()).toMatchObject({ charged: [12_200n, 3] })
  await database.close()
})

it('the figures of an older book without payments are 0', async () => {
  await olderBook(() => undefined)
  const database = await openPaymentsDatabase(`file:${file}`)
  const rows = await database.read.routingFee.findMany({ orderBy: { kind: 'asc' } })
  expect(rows).toEqual(['absorbed', 'charged', 'untold'].map((kind) => ({ kind, total: 0n, payments: 0 })))
  await database.close()
})
