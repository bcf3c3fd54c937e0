import { existsSync, renameSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { OPERATOR, WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'

/** A member's receipts in msats: from the operator, and from each tip. */
const EACH_GOT = 100_000
const A_TIP = 1_000
/** The receipt, and each gift, of a member who is added to a book, in msats. */
export const ADDED_GOT = 200
const ADDED_TIP = 10
/** The number of tips by each member: together with the receipt, they make ten entries. */
const TIPS_EACH = 9
const YEAR_MS = 365 * 24 * 3_600_000
export const GUILD = '900000000000000001'

/**
 * Returns the id of the nth thing of a kind. Like the product's ids, these ids are ordered by time, so that indexes
 * grow at their end.
 */
function idOf(nth: number): string {
  return String(nth).padStart(9, '0')
}

/** Returns the id of the nth member. */
export function memberOf(index: number): string {
  return String(100_000_000_000_000_000n + BigInt(index))
}

/** Returns the balance of the provider's wallet for such a book, in msats. */
export function walletOf(members: number): bigint {
  return 2n * BigInt(members) * BigInt(EACH_GOT)
}

/**
 * Makes a bot's book with the given number of members. Each member has received sats from the operator and tipped the
 * next nine members, during the last year, in one server. Keeps the complete book of an earlier run.
 */
export async function seedBot(file: string, members: number): Promise<void> {
  const made = `${file}.unfinished`
  if (existsSync(file)) return
  for (const rest of ['', '-wal', '-shm', '-journal']) rmSync(`${made}${rest}`, { force: true })
  console.log(`making a book of ${members.toLocaleString('en')} members …`)
  await (await openTippingDatabase(`file:${made}`)).close()
  const database = new Database(made)
  // An incomplete book is not worth saving.
  for (const pragma of ['journal_mode = DELETE', 'journal_mode = OFF', 'synchronous = OFF', 'cache_size = -262144'])
    database.pragma(pragma)
  try {
    database.transaction(() => {
      const putBack = takeOff(database)
      insert(database, members)
      putBack()
    })()
  } finally {
    database.close()
  }
  renameSync(made, file)
}

/** The tables with the most rows. */
const LARGE = ['Entry', 'Move', 'Operation', 'Tip', 'TipShare', 'GiftDay', 'GiftMonth']

/**
 * Removes the indexes and triggers of the large tables, which cost most of the time. The returned function restores
 * them, and sums the gifts as those triggers do. The first start verifies the structure, and the audit verifies every
 * sum.
 */
function takeOff(database: Database.Database): () => void {
  const wanted = `"sql" IS NOT NULL AND "type" IN ('index', 'trigger') AND "tbl_name" IN ('${LARGE.join("', '")}')`
  const found = database
    .prepare<[], { type: string; name: string; sql: string }>(
      `SELECT "type", "name", "sql" FROM sqlite_master WHERE ${wanted}`,
    )
    .all()
  for (const { type, name } of found) database.exec(`DROP ${type} "${name}"`)
  return () => {
    for (const { sql } of found.filter(({ type }) => type === 'index')) database.exec(sql)
    database.exec(GIFT_SUMS)
    for (const { sql } of found.filter(({ type }) => type === 'trigger')) database.exec(sql)
  }
}

/**
 * The statements that sum the gifts. The rows are ordered like each table, so that the table grows at its end. All
 * gifts are tips from a balance, and credited.
 */
const GIFT_SUMS = `
INSERT INTO "GiftDay" ("guild", "day", "side", "member", "amount")
  SELECT "guild", "day", "side", "member", SUM("amount") FROM (
    SELECT t."guild", substr(t."createdAt", 1, 10) AS "day", 'giver' AS "side", t."sender" AS "member", s."amount"
      FROM "Tip" AS t JOIN "TipShare" AS s ON s."tipId" = t."id"
    UNION ALL SELECT t."guild", substr(t."createdAt", 1, 10), 'getter', s."recipient", s."amount"
      FROM "Tip" AS t JOIN "TipShare" AS s ON s."tipId" = t."id"
  ) GROUP BY "guild", "day", "side", "member";
INSERT INTO "GiftMonth" ("guild", "side", "member", "month", "amount")
  SELECT "guild", "side", "member", substr("day", 1, 7) AS "month", SUM("amount")
    FROM "GiftDay" GROUP BY "guild", "side", "member", "month";`

/**
 * Adds members to the existing book of a bot while no process uses the book. `giver` has tipped each of them
 * `ADDED_GOT`, and each has tipped the next nine.
 */
export function addMembers(file: string, members: number, giver: string): void {
  const database = new Database(file)
  try {
    database.transaction(() => {
      const crowd = { members, timeOf: timesOfYear(members * (1 + TIPS_EACH)) }
      const book = journalOf(database)
      const tip = tipsOf(database, book)
      insertMembers(database, crowd, (index, at) =>
        tip({ id: `got-${idOf(index)}`, from: giver, to: memberOf(index), amount: ADDED_GOT, at }),
      )
      tipTheNext(tip, crowd, ADDED_TIP)
      book.end()
    })()
  } finally {
    database.close()
  }
}

interface Crowd {
  readonly members: number
  /** Returns the next time. */
  readonly timeOf: () => string
}

function insert(database: Database.Database, members: number): void {
  const crowd = { members, timeOf: timesOfYear(1 + members * (1 + TIPS_EACH)) }
  const book = journalOf(database)
  const [wallet, operator] = [book.account(WALLET.kind, WALLET.owner), book.account(OPERATOR.kind, OPERATOR.owner)]
  const begun = crowd.timeOf()
  book.entry('opening', begun, [wallet, operator, Number(walletOf(members))])
  database.prepare(`INSERT INTO "Opening" ("id", "amount", "at") VALUES (1, ?, ?)`).run(walletOf(members), begun)
  insertMembers(database, crowd, (index, at) => {
    book.operation(`got-${idOf(index)}`, 'faucet', at)
    book.entry(`got-${idOf(index)}`, at, [operator, book.account('member', memberOf(index)), EACH_GOT])
  })
  tipTheNext(tipsOf(database, book), crowd, A_TIP)
  book.end()
}

function insertMembers(
  database: Database.Database,
  { members, timeOf }: Crowd,
  fund: (index: number, at: string) => void,
): void {
  const member = database.prepare(`INSERT INTO "Member" ("id", "seenAt") VALUES (?, ?)`)
  for (let index = 0; index < members; index += 1) {
    const at = timeOf()
    member.run(memberOf(index), at)
    fund(index, at)
  }
}

function tipTheNext(tip: (tip: SeededTip) => void, { members, timeOf }: Crowd, amount: number): void {
  for (let round = 1; round <= TIPS_EACH; round += 1) {
    for (let index = 0; index < members; index += 1) {
      const [from, to] = [memberOf(index), memberOf((index + round) % members)]
      tip({ id: idOf((round - 1) * members + index), from, to, amount, at: timeOf() })
    }
  }
}

/** Returns a function that returns times in order, evenly spread over the last year, as Prisma writes them. */
function timesOfYear(many: number): () => string {
  const from = Date.now() - YEAR_MS
  let nth = 0
  return () => {
    nth += 1
    return new Date(from + Math.floor((nth / (many + 1)) * YEAR_MS)).toISOString().replace('Z', '+00:00')
  }
}

/** Continues a book's journal and its chains. `end` writes balances and newest moves. */
function journalOf(database: Database.Database) {
  const account = database.prepare(`INSERT INTO "Account" ("kind", "owner") VALUES (?, ?) ON CONFLICT DO NOTHING`)
  const found = database.prepare(
    `SELECT "id", "balance", "lastMoveId" AS "newest" FROM "Account" WHERE "kind" = ? AND "owner" = ?`,
  )
  const entry = database.prepare(`INSERT INTO "Entry" ("operation", "step", "at") VALUES (?, 'post', ?)`)
  const move = database.prepare(
    `INSERT INTO "Move" ("entryId", "fromId", "toId", "amount", "fromPreviousId", "toPreviousId") VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const operation = database.prepare(
    `INSERT INTO "Operation" ("id", "verb", "record", "createdAt") VALUES (?, ?, ?, ?)`,
  )
  const held = new Map<number, { balance: number; newest: number | null }>()
  const ids = new Map<string, number>()
  return {
    account(kind: string, owner: string): number {
      const known = ids.get(`${kind} ${owner}`)
      if (known !== undefined) return known
      account.run(kind, owner)
      const { id, ...holds } = found.get(kind, owner) as { id: number; balance: number; newest: number | null }
      held.set(id, holds)
      ids.set(`${kind} ${owner}`, id)
      return id
    },
    operation: (id: string, verb: string, at: string) => void operation.run(id, verb, id, at),
    entry(name: string, at: string, [from, to, amount]: readonly [number, number, number]): void {
      const [giver, getter] = [held.get(from), held.get(to)]
      if (giver === undefined || getter === undefined) throw new Error('there is no such account')
      const written = entry.run(name, at).lastInsertRowid
      const id = Number(move.run(written, from, to, amount, giver.newest, getter.newest).lastInsertRowid)
      giver.balance -= amount
      getter.balance += amount
      giver.newest = id
      getter.newest = id
    },
    end(): void {
      const set = database.prepare(`UPDATE "Account" SET "balance" = ?, "lastMoveId" = ? WHERE "id" = ?`)
      for (const [id, { balance, newest }] of held) set.run(balance, newest, id)
    },
  }
}

interface SeededTip {
  readonly id: string
  readonly from: string
  readonly to: string
  /** The amount in msats. */
  readonly amount: number
  readonly at: string
}

/** Returns a function that writes a tip with one share: its records and its entries. */
function tipsOf(database: Database.Database, book: ReturnType<typeof journalOf>): (tip: SeededTip) => void {
  const tip = database.prepare(
    `INSERT INTO "Tip" ("id", "sender", "note", "total", "guild", "channel", "card", "createdAt") VALUES (?, ?, '', ?, '${GUILD}', 'channel', ?, ?)`,
  )
  const share = database.prepare(
    `INSERT INTO "TipShare" ("id", "tipId", "ordinal", "recipient", "amount", "state") VALUES (?, ?, 0, ?, ?, 'credited')`,
  )
  return ({ id, from, to, amount, at }) => {
    tip.run(`tip-${id}`, from, amount, `card-${id}`, at)
    share.run(`share-${id}`, `tip-${id}`, to, amount)
    book.operation(`share-${id}`, 'tip', at)
    book.entry(`share-${id}`, at, [book.account('member', from), book.account('member', to), amount])
  }
}
