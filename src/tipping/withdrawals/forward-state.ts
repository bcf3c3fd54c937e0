import { feeLimit, msats, sats, ZERO } from '../../lib/money/amount.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { scheduleForward } from '../engine/gifts/onward.ts'
import type { Failed } from '../engine/outgoing/outgoing.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Withdrawal } from '../generated/client.ts'
import type { ForwardingView } from './forwarding.ts'

/** The smallest sum that is forwarded: for a hundred sats, the smallest fee limit is already a tenth. */
export const MIN_FORWARD = sats(100)

const FIRST_PAUSE_MS = 10 * 60_000
const MAX_PAUSE_MS = 24 * 3_600_000

/** Returns how a member's tips are forwarded; undefined if they are not. */
export async function viewForwarding(
  { database: { read }, settings }: Pick<TippingContext, 'database' | 'settings'>,
  member: string,
): Promise<ForwardingView | undefined> {
  const owner = await read.member.findFirst({ where: { id: member } })
  if (owner === null || owner.forwardTo === null) return undefined
  const { forwardTo: address, keepHere, forwardDue, forwardAfter } = owner
  const sent = await read.withdrawal.aggregate({
    where: { member, forwarded: true, state: 'paid', destination: address },
    _sum: { amount: true },
  })
  return {
    address,
    keepHere: msats(keepHere),
    due: msats(forwardDue),
    sent: msats(sent._sum.amount ?? 0n),
    smallest: MIN_FORWARD,
    feePercent: settings.feeLimitPercent,
    leastFee: feeLimit(ZERO, settings.feeLimitPercent),
    again: forwardAfter ?? undefined,
  }
}

/**
 * Returns a failure if the member has meanwhile chosen another destination for their tips, or none. Call it in the
 * transaction that marks the withdrawal as sending.
 */
export async function forwardingEnded(tx: Tx, withdrawal: Withdrawal): Promise<Failed | undefined> {
  const { member: id, forwarded, destination: forwardTo } = withdrawal
  if (!forwarded || (await tx.member.count({ where: { id, forwardTo } })) > 0) return undefined
  return { kind: 'failed', because: 'interrupted', reason: null }
}

/** Notes that a forwarding payment has succeeded, and schedules a check for sums that came meanwhile. */
export async function noteForwarded(context: ReadonlyBook, tx: Tx, withdrawal: Withdrawal): Promise<void> {
  const { member: id, forwarded, destination: forwardTo } = withdrawal
  if (!forwarded) return
  const data = { forwardAfter: null, forwardFailures: 0, forwardProblem: null }
  const { count } = await tx.member.updateMany({ where: { id, forwardTo }, data })
  if (count > 0) await scheduleForward(tx, id, now(context))
}

/** Notes that a forwarding payment has failed without anything leaving. The sum is due again after a pause. */
export async function noteForwardFailed(
  context: ReadonlyBook,
  tx: Tx,
  withdrawal: Withdrawal,
  problem: string,
): Promise<void> {
  const { member, forwarded, destination, amount, feeLimit } = withdrawal
  if (!forwarded || destination === null) return
  const failure = { member, address: destination, problem, due: amount + feeLimit }
  await noteProblem(context, tx, failure)
}

/**
 * Notes why nothing could be forwarded, and when to try again: after ten minutes, then after twice as long each time,
 * up to a day.
 */
export async function noteProblem(
  context: ReadonlyBook,
  tx: Tx,
  failure: { readonly member: string; readonly address: string; readonly problem: string; readonly due: bigint },
): Promise<void> {
  const { member: id, address: forwardTo, problem, due } = failure
  const owner = await tx.member.findFirst({ where: { id, forwardTo } })
  if (owner === null) return
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** owner.forwardFailures, MAX_PAUSE_MS)
  const forwardAfter = new Date(context.clock.now() + pauseMs)
  const counted = { forwardDue: owner.forwardDue + due, forwardFailures: owner.forwardFailures + 1 }
  await tx.member.update({ where: { id }, data: { ...counted, forwardAfter, forwardProblem: problem } })
  await scheduleForward(tx, id, forwardAfter)
}
