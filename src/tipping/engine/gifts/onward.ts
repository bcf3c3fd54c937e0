import type { Entry, Row } from '../../../ledger/ledger.ts'
import { type Msats, msats } from '../../../lib/money/amount.ts'
import { now, type ReadonlyBook } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import { reservePayout } from '../payouts/reserve-payout.ts'
import { schedulePoll } from '../polling/poller.ts'
import type { TippingContext } from '../tipping-context.ts'
import type { RecipientStatus } from './recipients.ts'

/** The step after a gift is credited: a payout to the linked account, or a sum that is due to the Lightning Address. */
export interface Onward {
  readonly entries: readonly Entry[]
  readonly rows: readonly Row[]
  /** The ids of payouts to start as soon as the change is durable. */
  readonly payouts: readonly string[]
  readonly due: readonly Due[]
}

interface Due {
  readonly member: string
  /** The credited amount, in msats. */
  readonly amount: Msats
}

interface CreditedGift {
  /** The credited record: a tip's share, a claim or a prize. At most one payout follows each record. */
  readonly cause: string
  readonly card: string
  readonly member: string
  readonly amount: Msats
  /** The description that the recipient's wallet shows. */
  readonly description: string
  readonly at: Date
}

const NOTHING: Onward = { entries: [], rows: [], payouts: [], due: [] }

/** Returns the parts of a change that forward a gift, if its recipient wants that. */
export function planOnward(context: TippingContext, status: RecipientStatus | undefined, gift: CreditedGift): Onward {
  const { member, amount } = gift
  if (status?.forwards) return { ...NOTHING, due: [{ member, amount }] }
  const sent = msats(amount > (status?.room ?? 0n) ? amount - (status?.room ?? 0n) : 0n)
  // Only the cached pause is checked here, to avoid starting payouts in vain. The sender checks the pause in the book.
  if (!status?.link || sent === 0n || !context.outgoingSwitch.open) return NOTHING
  const payout = reservePayout(context, { ...gift, link: status.link, amount: sent })
  return { entries: [payout.entry], rows: [payout.operation, payout.row], payouts: [payout.id], due: [] }
}

/** Notes the sums that are due to Lightning Addresses, in the transaction that credits them. Sends nothing. */
export async function noteDue(context: ReadonlyBook, tx: Tx, onward: readonly Onward[]): Promise<void> {
  for (const { member, amount } of onward.flatMap(({ due }) => due)) {
    const where = { id: member, forwardTo: { not: null } }
    const { count } = await tx.member.updateMany({ where, data: { forwardDue: { increment: amount } } })
    if (count > 0) await scheduleForward(tx, member, now(context))
  }
}

/** Starts the payouts of a durable change, and wakes the poller if sums are due to Lightning Addresses. */
export async function startOnward(context: TippingContext, onward: readonly Onward[]): Promise<void> {
  if (onward.some(({ due }) => due.length > 0)) void context.poller.wake()
  await context.payouts.start(onward.flatMap(({ payouts }) => payouts))
}

/**
 * Schedules a check of whether anything must be forwarded to a member's Lightning Address. The check runs at this time,
 * or as soon after it as possible.
 */
export async function scheduleForward(tx: Tx, member: string, at: Date): Promise<void> {
  const id = forwardJob(member)
  await schedulePoll(tx, { id, kind: 'forward', bornAt: at }, at)
  // A poll that is already running must not overwrite this time with its own.
  await tx.pollJob.update({ where: { id }, data: { hints: { increment: 1 } } })
}

/** The columns of a member whose tips are not forwarded to a Lightning Address. */
export const NOT_FORWARDED = {
  forwardTo: null,
  forwardDue: 0n,
  forwardAfter: null,
  forwardFailures: 0,
  forwardProblem: null,
}

const PREFIX = 'forward-'

/** Returns the id of the poll job that forwards a member's tips. */
export function forwardJob(member: string): string {
  return PREFIX + member
}

export function memberOfForwardJob(job: string): string {
  return job.slice(PREFIX.length)
}
