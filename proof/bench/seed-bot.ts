import { existsSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { OPERATOR, WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'

/** A member's receipts from the operator, in msats; and from each tip. */
const EACH_GOT = 100_000
const A_TIP = 1_000
/** What those get and give who are added to a book, in msats. */
export const ADDED_GOT = 200
const ADDED_TIP = 10
/** With what they got, each member has ten entries that are theirs. */
const TIPS_EACH = 9
const YEAR_MS = 365 * 24 * 3_600_000
export const GUILD = '900000000000000001'

/** The id of the nth member. */
export function memberOf(index: number): string {
  return String(100_000_000_000_000_000n + BigInt(index))
}

/** Balance of the provider's wallet for such a book, in msats. */
export function walletOf(members: number): bigint {
  return 2n * BigInt(members) * BigInt(EACH_GOT)
}

/**
 * The bot's book with so many members: each got something of the operator, and tipped the next nine, over the last year, in one
 * server. One that an earlier run made whole is taken as it was left.
 */
export async function seedBot(file: string, members: number): Promise<void> {
  const made = `${file}.unfinished`
  if (existsSync(file)) return
  for (const rest of ['', '-wal', '-shm', '-journal']) rmSync(`${made}${rest}`, { force: true })
  console.log(`making a book of ${members.toLocaleString('en')} members …`)
  await (await openTippingDatabase(`file:${made}`)).close()
  const database = new Database(made)
  // Nothing is worth keeping before it is whole.
  for (const pragma of ['journal_mode = DELETE', 'journal_mode = OFF', 'synchronous = OFF', 'cache_size = -262144'])
    database.pragma(pragma)
  try {
    database.transaction(() => insert(database, members))()
    database.exec(`VACUUM INTO '${file}'`)
  } finally {
    database.close()
  }
  rmSync(made)
}

/**
 * Adds so many members to a bot's book that is there, while nobody works on it. `giver` has tipped each of them `ADDED_GOT`, and each
 * has tipped the next nine.
 */
export function addMembers(file: string, members: number, giver: string): void {
  const database = new Database(file)
  try {
    database.transaction(() => {
      const crowd = { members, timeOf: timesOfYear(members * (1 + TIPS_EACH)) }
      const book = journalOf(database)
      const tip = tipsOf(database, book)
      insertMembers(database, crowd, (index, at) =>
        tip({ id: `got-${index}`, from: giver, to: memberOf(index), amount: ADDED_GOT, at }),
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
  /** The time of what comes next. */
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
    book.operation(`got-${index}`, 'faucet', at)
    book.entry(`got-${index}`, at, [operator, book.account('member', memberOf(index)), EACH_GOT])
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
      tip({ id: `${round}-${index}`, from, to, amount, at: timeOf() })
    }
  }
}

/** One after the other, evenly over the last year, as Prisma writes them. */
function timesOfYear(many: number): () => string {
  const from = Date.now() - YEAR_MS
  let nth = 0
  return () => {
    nth += 1
    return new Date(from + Math.floor((nth / (many + 1)) * YEAR_MS)).toISOString().replace('Z', '+00:00')
  }
}

/** Writes on in a journal with its chains. Balances and newest moves are written at the end. */
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
  /** Msats. */
  readonly amount: number
  readonly at: string
}

/** Writes tips of one share: their records and their entries. */
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
