import { formatSats, msats } from '../lib/money/amount.ts'
import { Problem } from '../lib/problem.ts'
import type { ReadonlyBook } from './core/context.ts'

/** Refuses to run a book without custody while it owes somebody sats. Throws Problem. */
export async function mustHoldNothing({ database }: ReadonlyBook): Promise<void> {
  const where = { kind: { notIn: ['wallet', 'operator'] }, balance: { not: 0n } }
  const { _sum, _count } = await database.read.account.aggregate({ where, _sum: { balance: true }, _count: true })
  if (_count === 0) return
  throw new Problem(
    `CUSTODY=none is for a bot that holds no sats, but this book holds ${formatSats(msats(_sum.balance ?? 0n))} sats (accounts with a balance: ${_count}). Set CUSTODY=balances until members have withdrawn their sats and the pools are empty, or begin a new book: set TIPPING_DATABASE_URL to a file that does not exist yet.`,
  )
}
