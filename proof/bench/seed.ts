import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { openAdministration } from '../../src/payments-service/administration/administration.ts'

export interface Seeded {
  readonly file: string
  readonly apiKey: string
  readonly projectId: string
  /** Another project of the same operator. */
  readonly receiverId: string
  readonly accounts: number
}

const ENTRIES_EACH = 10

/** The gamertag of the nth user. */
export function gamertagOf(index: number): string {
  return `user-${index}`
}

/**
 * Makes a database with the given number of users, each with an account of ten entries, and a project with more than
 * enough sats, or reuses the complete database of an earlier run.
 */
export async function seed(file: string, accounts: number): Promise<Seeded> {
  const about = `${file}.json`
  if (existsSync(about)) return { ...(JSON.parse(readFileSync(about, 'utf8')) as Seeded), file }
  for (const rest of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${rest}`, { force: true })
  console.log(`making ${accounts.toLocaleString('en')} accounts …`)
  const seeded = await make(file, accounts)
  writeFileSync(about, JSON.stringify(seeded))
  return seeded
}

/** Makes the database: the administration writes the rows of an empty service, and plain statements write the rest. */
async function make(file: string, accounts: number): Promise<Seeded> {
  const administration = await openAdministration({
    databaseUrl: `file:${file}`,
    clock: systemClock,
    entropy: systemEntropy,
    settings: { gamertagReservedDays: 0, reservedNames: [] },
    sandbox: true,
  })
  const { projectId, apiKey } = await administration.createProject('bench', sats(1_000_000_000_000n))
  const { projectId: receiverId } = await administration.createProject('bench, too')
  await administration.close()
  const database = new Database(file)
  // An incomplete database is not worth saving, so nothing is journalled meanwhile.
  database.pragma('journal_mode = DELETE')
  database.pragma('journal_mode = OFF')
  database.pragma('synchronous = OFF')
  database.pragma('cache_size = -262144')
  try {
    database.transaction(() => insert(database, projectId, accounts))()
  } finally {
    database.close()
  }
  // Delayed disk writes must not fall into the measurement.
  const descriptor = openSync(file, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
  return { file, apiKey, projectId, receiverId, accounts }
}

function insert(database: Database.Database, projectId: string, accounts: number): void {
  const at = new Date().toISOString()
  const from = database.prepare(`SELECT "id" FROM "Account" WHERE "owner" = ?`).pluck().get(`project:${projectId}`)
  const user = database.prepare(`INSERT INTO "User" ("id", "gamertag", "createdAt") VALUES (?, ?, ?)`)
  const name = database.prepare(`INSERT INTO "Name" ("folded", "display", "userId") VALUES (?, ?, ?)`)
  const account = database.prepare(
    `INSERT INTO "Account" ("kind", "owner", "balance") VALUES ('wallet', ?, ${ENTRIES_EACH * 1_000}) RETURNING "id"`,
  )
  const entry = database.prepare(`INSERT INTO "Entry" ("operation", "step", "at") VALUES (?, 'post', ?)`)
  const move = database.prepare(
    `INSERT INTO "Move" ("entryId", "fromId", "toId", "amount", "fromPreviousId", "toPreviousId") VALUES (?, ?, ?, 1000, ?, ?)`,
  )
  const newest = database.prepare(`UPDATE "Account" SET "lastMoveId" = ? WHERE "id" = ?`)
  let last: number | bigint | null = lastMoveOf(database, Number(from))
  for (let index = 0; index < accounts; index += 1) {
    const id = systemEntropy.uuid()
    user.run(id, gamertagOf(index), at)
    name.run(gamertagOf(index), gamertagOf(index), id)
    const to = (account.get(`user:${id}`) as { id: number }).id
    for (let n = 0; n < ENTRIES_EACH; n += 1) {
      const { lastInsertRowid } = entry.run(`gamertag-payment:${systemEntropy.uuid()}`, at)
      last = move.run(lastInsertRowid, from, to, last, n === 0 ? null : last).lastInsertRowid
    }
    newest.run(last, to)
  }
  newest.run(last, from)
  database
    .prepare(`UPDATE "Account" SET "balance" = "balance" - ? WHERE "id" = ?`)
    .run(accounts * ENTRIES_EACH * 1_000, from)
}

function lastMoveOf(database: Database.Database, account: number): number {
  return database.prepare(`SELECT "lastMoveId" FROM "Account" WHERE "id" = ?`).pluck().get(account) as number
}
