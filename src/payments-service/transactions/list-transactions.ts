import type { StatementLine, StatementPlace } from '../../ledger/ledger.ts'
import type { TransactionType } from '../../payments-api/payments-api.ts'
import { type Holder, wallet } from '../core/chart-of-accounts.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { cursorAfter, readCursor } from './cursor.ts'
import { describeTransaction, mayBe, type Transaction } from './describe-transaction.ts'
import { readFiatValues } from './fiat-values.ts'
import { readRecords } from './records.ts'

/** A filter for a wallet's bookings. */
export interface TransactionsWanted {
  readonly limit: number
  readonly after?: string | undefined
  readonly type?: TransactionType | undefined
  readonly from?: Date | undefined
  /** The end of the period: only bookings before this time are included. */
  readonly to?: Date | undefined
}

export interface TransactionsPage {
  readonly transactions: Transaction[]
  /** The cursor of the next page; null at the end. */
  readonly next: string | null
}

/** The most bookings that one request reads, because other requests wait meanwhile. */
const MAX_LOOKED_AT = 2_000
/** How many bookings are read at a time if some are filtered out. */
const STRIDE = 500
/** How much older than `from` a booking must be to end the search: clocks are seldom set by more than this. */
const CLOCKS_DIFFER_MS = 24 * 3_600_000

/**
 * Reads a wallet's bookings, newest first, from its account's journal, so none is missing. Follows the chain of the
 * account's moves, so the cost depends on the page, not on the book. Throws ServiceRefusal (invalid_cursor).
 */
export async function listTransactions(
  parts: Pick<ServiceParts, 'ledger' | 'database'>,
  holder: Holder,
  wanted: TransactionsWanted,
): Promise<TransactionsPage> {
  const { limit, after, type, from, to } = wanted
  const isPicky = (type ?? from ?? to) !== undefined
  let place = after === undefined ? undefined : placeOf(after, holder)
  const transactions: Transaction[] = []
  for (let looked = 0; ; ) {
    const stride = isPicky ? STRIDE : limit
    const lines = await readLines(parts, holder, stride, place)
    looked += lines.length
    const found = await describeWanted(parts, lines, wanted)
    for (const { line, transaction } of found) {
      transactions.push(transaction)
      if (transactions.length === limit) return { transactions, next: cursorAfter(line) }
    }
    const last = lines.at(-1)
    const isEnd = lines.length < stride || (from !== undefined && isLongBefore(last, from))
    if (last === undefined || isEnd) return { transactions, next: null }
    if (looked >= MAX_LOOKED_AT) return { transactions, next: cursorAfter(last) }
    place = { before: last.id, balance: last.balance - last.amount }
  }
}

function placeOf(cursor: string, holder: Holder): StatementPlace {
  const place = readCursor(cursor, wallet(holder).owner)
  if (place === undefined) throw noCursor()
  return place
}

async function readLines(
  { ledger }: Pick<ServiceParts, 'ledger'>,
  holder: Holder,
  limit: number,
  from: StatementPlace | undefined,
): Promise<StatementLine[]> {
  const lines = await ledger.statement(wallet(holder), { limit, ...(from !== undefined && { from }) })
  if (lines === undefined) throw noCursor()
  return lines
}

function noCursor(): ServiceRefusal {
  return new ServiceRefusal(
    'invalid_cursor',
    '`after` must be the `next` of an earlier answer to this project. Leave it out to begin with the newest transaction.',
  )
}

async function describeWanted(
  { database }: Pick<ServiceParts, 'database'>,
  lines: readonly StatementLine[],
  { type, from, to }: TransactionsWanted,
) {
  const possible = lines.filter(
    (line) =>
      (type === undefined || mayBe(type, line)) &&
      (from === undefined || line.at >= from) &&
      (to === undefined || line.at < to),
  )
  const [records, valueAt] = await Promise.all([readRecords(database, possible), readFiatValues(database, possible)])
  const described = possible.map((line) => {
    const value = valueAt(line.at, line.amount > 0n ? line.amount : -line.amount)
    return { line, transaction: describeTransaction(line, records, value) }
  })
  return described.filter(({ transaction }) => type === undefined || transaction.type === type)
}

function isLongBefore(line: StatementLine | undefined, from: Date): boolean {
  return line !== undefined && line.at.getTime() < from.getTime() - CLOCKS_DIFFER_MS
}
