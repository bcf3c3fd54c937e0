import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { audit } from '../../src/assembly/audit/audit.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { openPaymentsDatabase } from '../../src/payments-service/core/database.ts'
import { CHART, member } from '../../src/tipping/core/chart-of-accounts.ts'
import { openTippingDatabase, type TippingDatabase, type Tx } from '../../src/tipping/core/database.ts'
import { ManualClock } from './manual-clock.ts'
import { expectProvenTipping } from './proven-books.ts'

/** The books that `scripts/keep-release-books.ts` has stored, in a folder for each version. */
const FOLDER = join(import.meta.dirname, '../releases')

export type Side = 'tipping' | 'payments'
export const SIDES: readonly Side[] = ['tipping', 'payments']

/** A release's books, copied to a folder for today's code to open. */
export interface ReleasedBooks extends Readonly<Record<Side, string>> {
  /** Reads a book without any of the product's code. */
  rows<Row>(side: Side, sql: string): Promise<Row[]>
  run(side: Side, sql: string): Promise<void>
}

export function releasedFile(version: string, name: string): string {
  return join(FOLDER, version, name)
}

/** Returns the versions whose folders contain this file. */
export function versionsWith(name: string): string[] {
  return readdirSync(FOLDER).filter((version) => existsSync(releasedFile(version, name)))
}

export async function openBoth({ tipping, payments }: ReleasedBooks): Promise<void> {
  await (await openTippingDatabase(tipping)).close()
  await (await openPaymentsDatabase(payments)).close()
}

/** Resolves to every balance, the number of journal lines, and the amount that they moved. */
export async function balancesAndLines({ rows }: ReleasedBooks): Promise<unknown[][]> {
  const questions = [
    'SELECT "kind", "owner", "balance" FROM "Account" ORDER BY "kind", "owner"',
    'SELECT COUNT(*) AS lines, SUM("amount") AS moved FROM "Move"',
  ]
  return await Promise.all(SIDES.flatMap((side) => questions.map((sql) => rows(side, sql))))
}

export async function auditBoth({ tipping, payments, rows }: ReleasedBooks) {
  const [project] = await rows<{ id: string }>('payments', `SELECT "id" FROM "Project" ORDER BY "name" = 'bot' DESC`)
  const provider = { kind: 'in the box' as const, database: payments, projectId: project?.id }
  return await audit({ tipping, provider, clock: new ManualClock() })
}

/** Checks that both books are proven, and that the service's book covers the bot's. */
export async function expectSoundBooks(books: ReleasedBooks): Promise<void> {
  const report = await auditBoth(books)
  expect(report).toMatchObject({ holds: true, findings: [], paused: [] })
  expect(report.cover?.wallet).toBeGreaterThan(0n)
  await expectProvenTipping({ url: books.tipping, variable: 'TIPPING_DATABASE_URL' })
}

/** Opens the old book with today's code; in it, a member gives a sat to a new member. */
export async function goOn({ tipping }: ReleasedBooks): Promise<void> {
  const database = await openTippingDatabase(tipping)
  const ledger = createLedger<Tx, TippingDatabase['write']>({ database, chart: CHART, clock: new ManualClock() })
  const rich = { kind: 'member', balance: { gte: 1_000n } }
  const { owner } = await database.read.account.findFirstOrThrow({ where: rich, orderBy: { owner: 'asc' } })
  await ledger.commit({
    entries: [
      {
        operation: 'after the update',
        step: 'post',
        moves: [{ from: member(owner), to: member('newcomer'), amount: msats(1_000) }],
      },
    ],
  })
  const { balance } = await database.read.account.findUniqueOrThrow({ where: { kind_owner: member('newcomer') } })
  expect(balance).toBe(1_000n)
  await ledger.close()
  await database.close()
}
