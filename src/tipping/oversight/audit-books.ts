import { type Msats, msats } from '../../lib/amount.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { OPERATOR, WALLET } from '../books.ts'
import { now, type TippingContext } from '../context.ts'
import type { Audit } from '../tipping.ts'
import { outstandingVouchers } from '../vouchers/outstanding-vouchers.ts'
import { countOpenWithdrawals, mayHaveLeftOf, outstandingWithdrawals } from '../withdrawals/open-withdrawals.ts'

const OWED = ['member', 'pool', 'held', 'pot', 'suspense'] as const

/**
 * Proves the book and compares it with the wallet while everything goes on: E − X ≤ wallet ≤ E + Y. E is read before the
 * wallet; X and Y after it, and with them what the journal says was posted in between, so that nothing falls through.
 * What follows from it (the exits pause and open) is done as well.
 */
export async function auditBooks(context: TippingContext): Promise<Audit> {
  const { read } = context.database
  const last = await read.entry.findFirst({ orderBy: { id: 'desc' } })
  const expected = msats(-(await context.ledger.balance(WALLET)))
  const outstanding = await outstandingWithdrawals(context)
  const wallet = await askWallet(context)
  const leaving = mayHaveLeftOf(outstanding, await outstandingWithdrawals(context))
  // The payouts first: one that ends between these readings is then counted twice, never not at all.
  const out = await read.payout.aggregate({ where: { state: { in: ['sending', 'unknown'] } }, _sum: { amount: true } })
  const open = await read.deposit.aggregate({
    where: { OR: [{ state: 'creating' }, { state: { in: ['open', 'closed'] }, disabled: false }] },
    _sum: { amount: true },
  })
  const vouchers = await outstandingVouchers(context)
  const since = await movedSince(context, last?.id ?? 0)
  const mayHaveLeft = msats((out._sum.amount ?? 0n) + leaving + vouchers.mayHaveLeft + since.out)
  const mayHaveArrived = msats((open._sum.amount ?? 0n) + vouchers.mayHaveArrived + since.in)
  const [proof, operator, payouts, withdrawals] = await Promise.all([
    context.ledger.prove(),
    context.ledger.balance(OPERATOR),
    read.payout.count({ where: { state: { in: ['reserved', 'sending', 'unknown'] } } }),
    countOpenWithdrawals(context),
  ])
  const openOperations = payouts + withdrawals + vouchers.open
  const short = wallet === undefined ? 0n : expected - mayHaveLeft - wallet
  const surplus = wallet === undefined ? undefined : wallet - expected - mayHaveArrived
  const faults = [...proof.faults]
  if (short > 0n) faults.push(`the provider's wallet holds ${short} msats less than the books account for`)
  if (operator < 0n)
    faults.push(`the operator's account stands at ${operator} msats, so not all that is owed is covered`)
  const uncovered = faults.length > 0
  if (surplus !== undefined && surplus > 0n) {
    faults.push(`the provider's wallet holds ${surplus} msats more than the books account for`)
  }
  if (!context.activity.closed) await context.consequences.follow(context, { faults, surplus, uncovered })
  const owed = msats(OWED.reduce((sum, kind) => sum + (proof.totals[kind] ?? 0n), 0n))
  const [holds, at] = [faults.length === 0, now(context)]
  return { holds, faults, owed, expected, mayHaveLeft, mayHaveArrived, wallet, operator, openOperations, at }
}

async function askWallet({ payments }: TippingContext): Promise<Msats | undefined> {
  try {
    return (await payments.getWallet()).data.balance
  } catch (error) {
    if (error instanceof PaymentsError) return undefined
    throw error
  }
}

/** What was posted to and from the wallet after an entry, in msats. */
async function movedSince({ database }: TippingContext, entryId: number): Promise<{ out: bigint; in: bigint }> {
  const after = { entryId: { gt: entryId } }
  const [out, into] = await Promise.all([
    database.read.move.aggregate({ where: { ...after, to: WALLET }, _sum: { amount: true } }),
    database.read.move.aggregate({ where: { ...after, from: WALLET }, _sum: { amount: true } }),
  ])
  return { out: out._sum.amount ?? 0n, in: into._sum.amount ?? 0n }
}
