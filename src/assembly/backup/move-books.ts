import type { Config } from '../../config/config.ts'
import type { Proof } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { copyBooks, usedTable } from '../../lib/database/copy-book.ts'
import type { Database } from '../../lib/database/database.ts'
import { movedMark } from '../../lib/database/engine/migrations.ts'
import { isPostgres } from '../../lib/database/url-kinds.ts'
import { Problem } from '../../lib/problem.ts'
import { inspectPaymentsDatabase, openPaymentsDatabase } from '../../payments-service/core/database.ts'
import { inspectTippingDatabase, openTippingDatabase } from '../../tipping/core/database.ts'
import { auditBook } from '../audit/audit-book.ts'
import type { BookReport } from '../audit/findings.ts'
import { holdBooks, type Side } from '../books/hold-books.ts'
import { placeOf, VARIABLES } from '../books/known-books.ts'
import { refuseWhileRunning } from './refuse-while-running.ts'

/** A moved book, and its proof in the new place. */
export interface MovedBook {
  readonly variable: string
  readonly proof: Proof
}

export interface MoveTargets {
  /**
   * The bot's new database (`file:` and a path, or `postgresql://…`); undefined if the bot's book stays where it is.
   */
  readonly tipping: string | undefined
  /** The service's new database (`file:` and a path, or `postgresql://…`); undefined if its book stays where it is. */
  readonly payments: string | undefined
}

interface Move {
  readonly side: Side
  readonly variable: string
  readonly from: string
  readonly to: string
  readonly open: (url: string) => Promise<{ close(): Promise<void> }>
  readonly audit: (url: string) => Promise<BookReport>
  /** Marks the old book as moved to this place. */
  readonly mark: (to: string, at: Date) => Promise<void>
}

function moveOfBot(from: string, to: string): Move {
  const mark = async (place: string, at: Date) => await marking(await openTippingDatabase(from), place, at)
  return { side: 'bot', variable: VARIABLES.bot, from, to, open: openTippingDatabase, audit: auditTipping, mark }
}

function moveOfService(from: string, to: string): Move {
  const mark = async (place: string, at: Date) => await marking(await openPaymentsDatabase(from), place, at)
  return {
    side: 'service',
    variable: VARIABLES.service,
    from,
    to,
    open: openPaymentsDatabase,
    audit: auditPayments,
    mark,
  }
}

async function marking(
  { writeRaw, close }: Pick<Database<unknown>, 'writeRaw' | 'close'>,
  place: string,
  at: Date,
): Promise<void> {
  try {
    await writeRaw((client) => client.$executeRaw(movedMark(place, at)))
  } finally {
    await close()
  }
}

/**
 * Copies books to new places, on the same database engine or the other, while no process uses them. Proves each book
 * before and after the copy, and requires equal proofs. The old books remain, marked so that no process starts on them.
 * The operator must then change the settings. Throws Problem if a proof fails, if a process still uses a book, or if a
 * new place already contains anything.
 */
export async function moveBooks(
  config: Pick<Config, 'service' | 'dataFolder' | 'tippingDatabaseUrl'>,
  { tipping, payments }: MoveTargets,
  clock: Clock,
): Promise<MovedBook[]> {
  const unlock = holdBooks(config, ['bot', 'service'])
  try {
    // A process on a file holds its folder's lock.
    const onServer = (to: string | undefined, from: string) => (to !== undefined && isPostgres(from) ? from : undefined)
    const from = {
      tipping: onServer(tipping, config.tippingDatabaseUrl),
      payments: onServer(payments, config.service.databaseUrl),
    }
    await refuseWhileRunning(from, clock)
    const moves = [
      ...(tipping === undefined ? [] : [moveOfBot(config.tippingDatabaseUrl, tipping)]),
      ...(payments === undefined ? [] : [moveOfService(config.service.databaseUrl, payments)]),
    ]
    const moved: MovedBook[] = []
    for (const each of moves) moved.push(await move(each))
    // Not before all copies are complete: a failed move leaves everything as it was.
    for (const each of moves) await each.mark(placeOf(each.side, each.to), new Date(clock.now()))
    return moved
  } finally {
    unlock()
  }
}

async function move({ variable, from, to, open, audit }: Move): Promise<MovedBook> {
  // An audit creates nothing, so it reports a missing book first. Then both are updated to have the same tables.
  await audit(from)
  await (await open(from)).close()
  const before = await proofOf(variable, await audit(from))
  await (await open(to)).close()
  const there = await audit(to)
  const entries = there.proof?.entries ?? 0
  if (entries > 0) {
    throw new Problem(
      `The new place for the book in ${variable} is not empty: it already holds ${entries} entries. Choose an empty place.`,
    )
  }
  const used = await usedTable({ url: to, variable })
  if (used !== undefined) {
    throw new Problem(
      `The new place for the book in ${variable} is already in use: the table ${used} there has rows. Choose an empty place.`,
    )
  }
  await copyBooks([{ from: { url: from, variable }, to: { url: to, variable } }])
  const after = await proofOf(variable, await audit(to))
  const still = await proofOf(variable, await audit(from))
  if (!isSame(before, after) || !isSame(before, still)) {
    throw new Problem(
      `The book in ${variable} changed while it was being copied: a bot or a service is still using it. Stop the bot and the service, remove the copy, and move the book again. The book itself is untouched.`,
    )
  }
  return { variable, proof: after }
}

async function proofOf(variable: string, { proof, findings }: BookReport): Promise<Proof> {
  const [first] = findings
  if (proof === undefined || first !== undefined) {
    throw new Problem(
      `The book in ${variable} has a fault: ${first?.what ?? 'it cannot be read'}. Nothing was moved. To see every fault, run "npm run audit".`,
    )
  }
  return proof
}

function isSame(one: Proof, other: Proof): boolean {
  const inText = ({ accounts, entries, moves, totals }: Proof) =>
    [accounts, entries, moves, ...Object.entries(totals).flat()].join()
  return inText(one) === inText(other)
}

async function auditTipping(url: string): Promise<BookReport> {
  const database = await inspectTippingDatabase(url)
  return await auditBook('bot', database).finally(() => database.close())
}

async function auditPayments(url: string): Promise<BookReport> {
  const database = await inspectPaymentsDatabase(url)
  return await auditBook('service', database).finally(() => database.close())
}
