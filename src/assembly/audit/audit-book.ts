import {
  type Chart,
  compareHoldings,
  type ExpectedHolding,
  examineJournal,
  type HoldingKinds,
  Journal,
  type Proof,
  proveBook,
  readExpectedHoldings,
} from '../../ledger/ledger.ts'
import { type InspectedDatabase, readBook } from '../../lib/database/database.ts'
import type { ReadRows } from '../../lib/database/engine/reader.ts'
import { CHART as SERVICE_CHART } from '../../payments-service/core/chart-of-accounts.ts'
import * as service from '../../payments-service/monitoring/holders.ts'
import { compareGiftSums } from '../../tipping/audit/gift-sums.ts'
import * as bot from '../../tipping/audit/holders.ts'
import { CHART as BOT_CHART } from '../../tipping/core/chart-of-accounts.ts'
import { ADVICE, type BookReport, type Finding, type Side } from './findings.ts'

interface BookShape {
  readonly chart: Chart
  readonly kinds: HoldingKinds
  readonly holders: readonly string[]
  /** Compares the sums that the book stores with the records that they sum up; undefined if the book stores no sums. */
  readonly sums?: (rows: ReadRows) => Promise<readonly string[]>
}

const SHAPES: Readonly<Record<Side, BookShape>> = {
  bot: { chart: BOT_CHART, kinds: bot.HOLDING_KINDS, holders: bot.HOLDERS, sums: compareGiftSums },
  service: { chart: SERVICE_CHART, kinds: service.HOLDING_KINDS, holders: service.HOLDERS },
}

/**
 * Audits one side's book as of one moment: its database, and every journal line, balance, open operation and stored
 * sum.
 */
export async function auditBook(side: Side, database: InspectedDatabase<unknown>): Promise<BookReport> {
  const finding = (what: string, advice: string, operation?: string): Finding => ({ side, operation, what, advice })
  const findings = database.faults.map((fault) => finding(fault, ADVICE.database))
  if (!database.readable) return { side, file: database.name, proof: undefined, open: [], findings }
  const { proof, lines, open, holdings, sums } = await readBook({ ...database, durable: false }, (rows) =>
    lookAt(SHAPES[side], rows),
  )
  findings.push(
    ...lines.map((line) => finding(line, ADVICE.journal)),
    ...proof.faults.map((fault) => finding(fault, ADVICE.balance)),
    ...holdings.map(({ about, what }) => finding(what, ADVICE.holding, about)),
    ...sums.map((sum) => finding(sum, ADVICE.sums)),
  )
  return { side, file: database.name, proof, open, findings }
}

interface BookReading {
  readonly proof: Proof
  readonly lines: readonly string[]
  readonly open: readonly ExpectedHolding[]
  readonly holdings: Awaited<ReturnType<typeof compareHoldings>>
  readonly sums: readonly string[]
}

async function lookAt({ chart, kinds, holders, sums }: BookShape, rows: ReadRows): Promise<BookReading> {
  const journal = new Journal()
  const open = await readExpectedHoldings(rows, holders)
  return {
    proof: await proveBook(rows, chart, journal),
    lines: await examineJournal(rows, journal),
    open,
    holdings: await compareHoldings(rows, kinds, open),
    sums: (await sums?.(rows)) ?? [],
  }
}
