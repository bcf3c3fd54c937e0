import { existsSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { OPERATOR, WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'

/** A member's receipts from the operator, in msats; and from each tip. */
const EACH_GOT = 100_000
const A_TIP = 1_000
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

function insert(database: Database.Database, members: number): void {
  const timeOf = timesOfYear(1 + members * (1 + TIPS_EACH))
  const book = journalOf(database)
  const [wallet, operator] = [book.account(WALLET.kind, WALLET.owner), book.account(OPERATOR.kind, OPERATOR.owner)]
  const begun = timeOf()
  book.entry('opening', begun, [wallet, operator, Number(walletOf(members))])
  database.prepare(`INSERT INTO "Opening" ("id", "amount", "at") VALUES (1, ?, ?)`).run(walletOf(members), begun)
  const member = database.prepare(`INSERT INTO "Member" ("id", "seenAt") VALUES (?, ?)`)
  const accounts = Array.from({ length: members }, (_, index) => {
    const at = timeOf()
    const id = book.account('member', memberOf(index))
    member.run(memberOf(index), at)
    book.operation(`got-${index}`, 'faucet', at)
    book.entry(`got-${index}`, at, [operator, id, EACH_GOT])
    return id
  })
  const tip = tipsOf(database)
  for (let round = 1; round <= TIPS_EACH; round += 1) {
    for (let index = 0; index < members; index += 1) {
      const [at, other] = [timeOf(), (index + round) % members]
      const share = `share-${round}-${index}`
      tip({ id: `tip-${round}-${index}`, share, from: memberOf(index), to: memberOf(other), at })
      book.operation(share, 'tip', at)
      book.entry(share, at, [accounts[index] ?? 0, accounts[other] ?? 0, A_TIP])
    }
  }
  book.end()
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

/** Writes a journal with its chains. Balances and newest moves are written at the end. */
function journalOf(database: Database.Database) {
  const account = database.prepare(`INSERT INTO "Account" ("kind", "owner") VALUES (?, ?)`)
  const entry = database.prepare(`INSERT INTO "Entry" ("operation", "step", "at") VALUES (?, 'post', ?)`)
  const move = database.prepare(
    `INSERT INTO "Move" ("entryId", "fromId", "toId", "amount", "fromPreviousId", "toPreviousId") VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const operation = database.prepare(
    `INSERT INTO "Operation" ("id", "verb", "record", "createdAt") VALUES (?, ?, ?, ?)`,
  )
  const held = new Map<number, { balance: number; newest: number | null }>()
  return {
    account(kind: string, owner: string): number {
      const id = Number(account.run(kind, owner).lastInsertRowid)
      held.set(id, { balance: 0, newest: null })
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
  readonly share: string
  readonly from: string
  readonly to: string
  readonly at: string
}

function tipsOf(database: Database.Database): (tip: SeededTip) => void {
  const tip = database.prepare(
    `INSERT INTO "Tip" ("id", "sender", "note", "total", "guild", "channel", "card", "createdAt") VALUES (?, ?, '', ${A_TIP}, '${GUILD}', 'channel', ?, ?)`,
  )
  const share = database.prepare(
    `INSERT INTO "TipShare" ("id", "tipId", "ordinal", "recipient", "amount", "state") VALUES (?, ?, 0, ?, ${A_TIP}, 'credited')`,
  )
  return ({ id, share: shareId, from, to, at }) => {
    tip.run(id, from, `card-${id}`, at)
    share.run(shareId, id, to)
  }
}
