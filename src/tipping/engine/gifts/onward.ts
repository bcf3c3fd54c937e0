import type { Entry, Row } from '../../../ledger/ledger.ts'
import { type Msats, msats } from '../../../lib/money/amount.ts'
import { now, type ReadonlyBook } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import { reservePayout } from '../payouts/reserve-payout.ts'
import { schedulePoll } from '../polling/poller.ts'
import type { TippingContext } from '../tipping-context.ts'
import type { RecipientStatus } from './recipients.ts'

/** The next step after a credited gift: a payout to the linked account, or a sum that the Lightning Address is due. */
export interface Onward {
  readonly entries: readonly Entry[]
  readonly rows: readonly Row[]
  /** Ids of payouts to start once the change is durable. */
  readonly payouts: readonly string[]
  readonly due: readonly Due[]
}

interface Due {
  readonly member: string
  /** In msats. */
  readonly amount: Msats
}

interface CreditedGift {
  /** The record that was credited: a tip's share, a claim, a prize. One payout follows each at most. */
  readonly cause: string
  readonly card: string
  readonly member: string
  readonly amount: Msats
  /** The description in the recipient's wallet. */
  readonly description: string
  readonly at: Date
}

const NOTHING: Onward = { entries: [], rows: [], payouts: [], due: [] }

/** The parts of a change that send a gift on, where its recipient wants that. */
export function planOnward(context: TippingContext, status: RecipientStatus | undefined, gift: CreditedGift): Onward {
  const { member, amount } = gift
  if (status?.forwards) return { ...NOTHING, due: [{ member, amount }] }
  const sent = msats(amount > (status?.room ?? 0n) ? amount - (status?.room ?? 0n) : 0n)
  // Whether there is a pause is only remembered here, so that none is begun for nothing: what sends it asks the book.
  if (!status?.link || sent === 0n || !context.outgoingSwitch.open) return NOTHING
  const payout = reservePayout(context, { ...gift, link: status.link, amount: sent })
  return { entries: [payout.entry], rows: [payout.operation, payout.row], payouts: [payout.id], due: [] }
}

/** Notes what Lightning Addresses are due, in the transaction that credits it. Nothing leaves here. */
export async function noteDue(context: ReadonlyBook, tx: Tx, onward: readonly Onward[]): Promise<void> {
  for (const { member, amount } of onward.flatMap(({ due }) => due)) {
    const where = { id: member, forwardTo: { not: null } }
    const { count } = await tx.member.updateMany({ where, data: { forwardDue: { increment: amount } } })
    if (count > 0) await scheduleForward(tx, member, now(context))
  }
}

/** Starts the payouts of a durable change, and checks what has become due. */
export async function startOnward(context: TippingContext, onward: readonly Onward[]): Promise<void> {
  if (onward.some(({ due }) => due.length > 0)) void context.poller.wake()
  await context.payouts.start(onward.flatMap(({ payouts }) => payouts))
}

/** Looks then, or as soon as it can, whether anything is to be sent on to a member's Lightning Address. */
export async function scheduleForward(tx: Tx, member: string, at: Date): Promise<void> {
  const id = forwardJob(member)
  await schedulePoll(tx, { id, kind: 'forward', bornAt: at }, at)
  // A poll that is under way must not overwrite this time with its own.
  await tx.pollJob.update({ where: { id }, data: { hints: { increment: 1 } } })
}

/** The status of a member whose tips go on to no Lightning Address. */
export const NOT_FORWARDED = {
  forwardTo: null,
  forwardDue: 0n,
  forwardAfter: null,
  forwardFailures: 0,
  forwardProblem: null,
}

const PREFIX = 'forward-'

/** The poll job that sends a member's tips on. */
export function forwardJob(member: string): string {
  return PREFIX + member
}

export function memberOfForwardJob(job: string): string {
  return job.slice(PREFIX.length)
}
