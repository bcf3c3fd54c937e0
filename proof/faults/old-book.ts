import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { FLOAT } from '../judge/promises.ts'
import type { Chance } from '../world/chance.ts'

const MIGRATIONS = join(import.meta.dirname, '../../prisma/tipping/migrations')
/**
 * The least number of migrations in an old book. Every age is tried, up to a book that lacks only the newest migration.
 */
const FIRST = 2

/** How many members an old book has. */
export const MEMBERS = 4
const EACH = 500_000n
/** The balances of an old book's members together, in msats. */
export const OLD_BALANCES = BigInt(MEMBERS) * EACH

export const OLD_MEMBERS: ReadonlyMap<string, bigint> = new Map(
  Array.from({ length: MEMBERS }, (_, n) => [`member-${n}`, EACH]),
)

/** Writes an older version's book, with members and sats in it, in place of a new one. */
export function writeOldBook(file: string, chance: Chance, at: number): void {
  const records = recordsOf(file)
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  const all = readdirSync(MIGRATIONS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.exec(records)
  const record = database.prepare(`INSERT INTO "_prisma_migrations"
    ("id", "checksum", "migration_name", "finished_at", "applied_steps_count") VALUES (?, ?, ?, current_timestamp, 1)`)
  for (const name of all.slice(0, chance.between(FIRST, all.length - 1))) {
    const sql = readFileSync(join(MIGRATIONS, name, 'migration.sql'), 'utf8')
    database.exec(sql)
    const checksum = createHash('sha256').update(sql).digest('hex')
    record.run(checksum.slice(0, 36), checksum, name)
  }
  fill(database, new Date(at - 3_600_000).toISOString())
  database.close()
}

/** Returns the statement with which a database creates the table of its migrations. */
function recordsOf(file: string): string {
  const database = new Database(file, { readonly: true })
  const row = database.prepare(`SELECT "sql" FROM sqlite_master WHERE "name" = '_prisma_migrations'`).get()
  database.close()
  return (row as { readonly sql: string }).sql
}

/** Writes the opening balance, and a deposit for each member. */
function fill(database: Database.Database, at: string): void {
  const owners = [{ kind: 'operator', owner: 'operator', amount: FLOAT }]
  for (const [owner, amount] of OLD_MEMBERS) owners.push({ kind: 'member', owner, amount })
  const account = database.prepare(
    'INSERT INTO "Account" ("id", "kind", "owner", "balance", "lastMoveId") VALUES (?, ?, ?, ?, ?)',
  )
  const last = owners.length
  account.run(1, 'wallet', 'provider', -(FLOAT + OLD_BALANCES), last)
  for (const [n, { kind, owner, amount }] of owners.entries()) {
    const move = n + 1
    account.run(n + 2, kind, owner, amount, move)
    const [operation, step] = kind === 'operator' ? ['opening', 'post'] : [`old-${owner}`, 'slot:1']
    database.prepare('INSERT INTO "Entry" VALUES (?, ?, ?, ?)').run(move, operation, step, at)
    database.prepare('INSERT INTO "Move" VALUES (?, ?, 1, ?, ?, ?, NULL)').run(move, move, n + 2, amount, n || null)
    if (kind === 'member') database.prepare('INSERT INTO "Member" ("id", "seenAt") VALUES (?, ?)').run(owner, at)
  }
  database.prepare('INSERT INTO "Opening" ("id", "amount", "at") VALUES (1, ?, ?)').run(FLOAT, at)
}
