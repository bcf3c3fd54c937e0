import type { LightningBackend, NodeBalances } from '../backends/backend.ts'
import { NODE } from '../core/chart-of-accounts.ts'
import type { Tx } from '../core/database.ts'
import { ASKED_STATES } from '../engine/sending/payment-record.ts'

/** Reads the book. Each call sees the book's state at one moment. */
export type ReadBook = <Found>(look: (tx: Tx) => Promise<Found>) => Promise<Found>

export interface ComparisonParts {
  readonly read: ReadBook
  readonly backend: Pick<LightningBackend, 'kind' | 'balances'>
}

/** The comparison of the service's book with its node. All amounts are in msats. */
export interface NodeComparison {
  readonly kind: string
  readonly balances: NodeBalances
  /** The node's balance according to the book. */
  readonly booked: bigint
  /** The node's balance according to the node: what is settled, plus what is leaving. */
  readonly holds: bigint
  /** The sum of the payments that may have left the node although the book has not recorded their end. */
  readonly mayHaveLeft: bigint
  /**
   * The sum that the node reserves for closing channels. The sum rises with each payment under way, and is not in the
   * book.
   */
  readonly commitFees: bigint
  /** The sum of the possible fees of payments whose fee the node does not report. */
  readonly untoldFees: bigint
  /** The node's shortfall that these three sums do not explain; 0 if there is none. */
  readonly short: bigint
  /** The node's surplus over the book's amount, which belongs to the operator. */
  readonly beyond: bigint
  /** The sum that all wallets together could withdraw. */
  readonly withdrawable: bigint
}

/**
 * Compares the service's book with its node while payments continue: reads the book, then the node, then the book
 * again. Arrivals in between only increase the node's balance, and departures appear in one of the two readings of the
 * book. Throws what the backend throws.
 */
export async function compareWithNode({ read, backend }: ComparisonParts): Promise<NodeComparison> {
  const before = await read(readHoldings)
  const balances = await backend.balances()
  const after = await read(readHoldings)
  const { untoldFees, withdrawable } = after
  const [inFlight, commitFees] = [balances.inFlight ?? 0n, balances.commitFees ?? 0n]
  const booked = least(before.booked, after.booked)
  const underWay = most(before.underWay, after.underWay)
  // Payments that the node reports as under way still count in its balance.
  const mayHaveLeft = most(underWay - inFlight, 0n)
  const holds = balances.settled + inFlight
  const gap = booked - holds
  return {
    kind: backend.kind,
    balances,
    booked,
    holds,
    mayHaveLeft,
    commitFees,
    untoldFees,
    short: most(gap - mayHaveLeft - commitFees - untoldFees, 0n),
    beyond: most(-gap, 0n),
    withdrawable,
  }
}

/** Whether the node can send less than this percentage of what wallets could withdraw. False if that is unknown. */
export function isLowOnLiquidity(
  { balances: { spendable }, withdrawable }: Pick<NodeComparison, 'balances' | 'withdrawable'>,
  percent: number,
): boolean {
  return spendable !== undefined && spendable * 100_000n < withdrawable * BigInt(Math.round(percent * 1_000))
}

async function readHoldings(tx: Tx) {
  const [node, open, fees, others] = await Promise.all([
    tx.account.findUnique({ where: { kind_owner: NODE } }),
    tx.payment.aggregate({ where: { status: { in: ASKED_STATES } }, _sum: { amount: true, maxFee: true } }),
    tx.routingFee.findUnique({ where: { kind: 'untold' } }),
    // All accounts sum to zero, so the wallets' total is minus the sum of the few others. Uses the text of the index
    // "Account_holding", which a query with parameters would not match.
    tx.$queryRaw<{ total: bigint | null }[]>`
      SELECT CAST(sum("balance") AS BIGINT) AS "total" FROM "Account" WHERE "kind" <> 'wallet' AND "balance" <> 0`,
  ])
  return {
    booked: -(node?.balance ?? 0n),
    underWay: (open._sum.amount ?? 0n) + (open._sum.maxFee ?? 0n),
    untoldFees: fees?.total ?? 0n,
    withdrawable: -(others[0]?.total ?? 0n),
  }
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
