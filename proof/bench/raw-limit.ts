import Database from 'better-sqlite3'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { gamertagOf, type Seeded } from './seed.ts'

/** The settings of a book's writer; `src/lib/database/sqlite/engine.ts` has the same for the service. */
const PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'cache_size = -262144',
  'wal_autocheckpoint = 16000',
  'temp_store = MEMORY',
]

/** A raw measurement for some seconds, with `batch` operations in each transaction. */
export interface RawRun {
  readonly seconds: number
  readonly batch: number
}

/**
 * Returns how many payments a second raw better-sqlite3 commits on this machine. It writes a payment's rows as the
 * service does, with prepared statements and the service's pragmas, and does nothing else.
 */
export function rawLimit({ file, projectId, accounts }: Seeded, run: RawRun): number {
  return withDatabase(file, (database) => {
    const pay = payment(database, projectId)
    return ratePerSecond(database, run, () => pay(gamertagOf(Math.floor(Math.random() * accounts))))
  })
}

/**
 * Returns how many invoices a second raw better-sqlite3 commits: the rows of the invoice and its charge, without a node
 * that makes or signs the invoice.
 */
export function rawInvoiceLimit({ file, projectId, accounts }: Seeded, run: RawRun): number {
  return withDatabase(file, (database) => {
    const create = invoice(database, projectId)
    return ratePerSecond(database, run, () => create(gamertagOf(Math.floor(Math.random() * accounts))))
  })
}

/** Opens a file as the writer of a book does, for as long as `use` takes. */
export function withDatabase<T>(file: string, use: (database: Database.Database) => T): T {
  const database = new Database(file)
  try {
    for (const pragma of PRAGMAS) database.pragma(pragma)
    return use(database)
  } finally {
    database.close()
  }
}

/** Returns how often a second some work is done, with the given number of operations in each transaction. */
export function ratePerSecond(database: Database.Database, { seconds, batch }: RawRun, work: () => void): number {
  const transaction = database.transaction(() => {
    for (let n = 0; n < batch; n += 1) work()
  })
  const end = performance.now() + seconds * 1_000
  let count = 0
  for (; performance.now() < end; count += batch) transaction()
  return count / seconds
}

function invoice(database: Database.Database, projectId: string): (gamertag: string) => void {
  const owner = database.prepare(`SELECT "userId" FROM "Name" WHERE "folded" = ?`).pluck()
  const issued = database.prepare(
    `INSERT INTO "Invoice" ("paymentHash", "request", "purpose", "resourceId", "payeeKind", "payeeId", "amount", "status",
     "createdAt", "expiresAt", "preimage", "nextLookUpAt") VALUES (?, ?, 'charge', ?, 'user', ?, 1000, 'open', ?, ?, ?, ?)`,
  )
  const charge = database.prepare(
    `INSERT INTO "Charge" ("id", "projectId", "payeeId", "amount", "description", "internalId", "callbackUrl", "status",
     "invoiceRequest", "paymentHash", "createdAt", "expiresAt") VALUES (?, ?, ?, 1000, '', '', '', 'CHARGE_PENDING', ?, ?, ?, ?)`,
  )
  return (gamertag: string) => {
    const [id, at] = [systemEntropy.uuid(), new Date(Date.now() + 600_000).toISOString()]
    const [hash, preimage] = [systemEntropy.bytes(32).toString('hex'), systemEntropy.bytes(32).toString('hex')]
    const request = `lnbcrt${hash.repeat(5)}`
    const userId = owner.get(gamertag)
    issued.run(hash, request, id, userId, at, at, preimage, at)
    charge.run(id, projectId, userId, request, hash, at, at)
  }
}

function payment(database: Database.Database, projectId: string): (gamertag: string) => void {
  const owner = database.prepare(`SELECT "userId" FROM "Name" WHERE "folded" = ?`).pluck()
  const account = database.prepare(`SELECT "id", "lastMoveId" FROM "Account" WHERE "kind" = 'wallet' AND "owner" = ?`)
  const open = (owner: string) => account.get(owner) as { id: number; lastMoveId: number | null }
  const entry = database.prepare(`INSERT INTO "Entry" ("operation", "step", "at") VALUES (?, 'post', ?)`)
  const move = database.prepare(
    `INSERT INTO "Move" ("entryId", "fromId", "toId", "amount", "fromPreviousId", "toPreviousId") VALUES (?, ?, ?, 1, ?, ?)`,
  )
  const balance = database.prepare(`UPDATE "Account" SET "balance" = "balance" + ?, "lastMoveId" = ? WHERE "id" = ?`)
  const record = database.prepare(
    `INSERT INTO "GamertagPayment" ("id", "transactionId", "payerKind", "payerId", "receiverId", "amount", "comment", "settledAt")
     VALUES (?, ?, 'project', ?, ?, 1, 'bench', ?)`,
  )
  return (gamertag: string) => {
    const [id, at] = [systemEntropy.uuid(), new Date().toISOString()]
    const userId = owner.get(gamertag)
    const [from, to] = [open(`project:${projectId}`), open(`user:${userId}`)]
    const { lastInsertRowid } = entry.run(`gamertag-payment:${id}`, at)
    const moved = move.run(lastInsertRowid, from.id, to.id, from.lastMoveId, to.lastMoveId)
    balance.run(-1, moved.lastInsertRowid, from.id)
    balance.run(1, moved.lastInsertRowid, to.id)
    record.run(id, systemEntropy.uuid(), projectId, userId, at)
  }
}
