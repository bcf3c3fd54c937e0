import { msats } from '../../lib/money/amount.ts'
import { latestSnapshot } from '../audit/snapshots.ts'
import type { ReadonlyBook } from '../core/context.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { InFlight, StatusView } from './administration.ts'

/**
 * The states of payments that have started and not ended. A withdrawal whose code has not been scanned has not started.
 */
const UNDER_WAY = ['reserved', 'sending', 'unknown', 'claimed']

/** Returns the last audit's result, and the operations now under way. */
export async function viewStatus(context: TippingContext): Promise<StatusView> {
  const pauses = context.outgoingSwitch.load(context)
  const [snapshot, inFlight] = await Promise.all([latestSnapshot(context), paymentsInFlight(context), pauses])
  const { paused } = context.outgoingSwitch
  if (snapshot === null) return { proven: undefined, inFlight, paused }
  const { at, holds, total, wallet, expected, mayHaveLeft, mayHaveArrived, root } = snapshot
  return {
    proven: {
      at,
      holds,
      owed: msats(total),
      wallet: wallet === null ? undefined : msats(wallet),
      expected: msats(expected),
      mayHaveLeft: msats(mayHaveLeft),
      mayHaveArrived: msats(mayHaveArrived),
      root,
    },
    inFlight,
    paused,
  }
}

async function paymentsInFlight({ database: { read } }: ReadonlyBook): Promise<InFlight> {
  const where = { state: { in: UNDER_WAY } }
  const [payouts, withdrawals] = await Promise.all([
    read.payout.aggregate({ where, _count: true, _min: { createdAt: true } }),
    read.withdrawal.aggregate({ where, _count: true, _min: { createdAt: true } }),
  ])
  const times = [payouts._min.createdAt, withdrawals._min.createdAt].filter((time) => time !== null)
  times.sort((one, other) => one.getTime() - other.getTime())
  return { count: payouts._count + withdrawals._count, oldestSince: times[0] }
}
