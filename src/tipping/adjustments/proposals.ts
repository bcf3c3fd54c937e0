import { utcMinute } from '../../lib/utc-minute.ts'
import { waiting } from '../audit/proposed-bookings.ts'
import { type Book, now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { person, raiseAlert } from '../engine/alerts/alerts.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Decision } from '../generated/client.ts'
import { bookDue, inWords as bookingInWords, viewBooking } from './adjust-books.ts'
import type { CancelProposal, OpenProposal } from './adjustments.ts'
import { decideDue, said, viewDecision } from './decide-payment.ts'
import { dueNow } from './lone-word.ts'
import { findPayment, inWords as paymentInWords } from './unknown-payments.ts'

/** Returns waiting proposals of single operators, oldest first, at most `limit` of each kind. */
export async function listProposals(context: ReadonlyBook, limit: number): Promise<OpenProposal[]> {
  const { read } = context.database
  const query = { orderBy: { proposedAt: 'asc' }, take: limit } as const
  const decisions = await read.decision.findMany({ where: { state: 'proposed' }, ...query })
  const bookings = await read.booking.findMany({ where: waiting(context.clock.now()), ...query })
  const found = await Promise.all(
    decisions.map(async (decision): Promise<OpenProposal[]> => {
      const payment = await findPayment(read, decision.payment)
      return payment === undefined
        ? []
        : [{ about: 'payment', decision: viewDecision(payment, decision), ...wordOf(decision) }]
    }),
  )
  const booked = bookings.map(
    (each): OpenProposal => ({ about: 'booking', booking: viewBooking(each), ...wordOf(each) }),
  )
  const ends = (await read.windDown.findMany({ where: { state: 'proposed' } })).map((each): OpenProposal => {
    const { id, by, dueAt, proposedBy, proposedAt } = each
    const word = wordOf({ proposedBy, proposedAt, proposedReason: '' })
    return { about: 'wind-down', id, ends: by, dueAt: dueAt ?? undefined, ...word }
  })
  return [...found.flat(), ...booked, ...ends]
}

function wordOf({
  proposedBy,
  proposedReason,
  proposedAt,
}: Pick<Decision, 'proposedBy' | 'proposedReason' | 'proposedAt'>) {
  return { by: proposedBy, reason: proposedReason, at: proposedAt }
}

/** Cancels a proposal before it takes effect. Any operator may do so. Throws TippingRefusal `proposal-not-there`. */
export async function cancelProposal(context: Book, { proposal, operator }: CancelProposal): Promise<void> {
  await context.commit({
    write: async (tx) => {
      const what = await proposalInWords(tx, proposal)
      const where = { id: proposal, state: 'proposed' }
      const { count: decisions } = await tx.decision.updateMany({ where, data: { state: 'replaced' } })
      const { count: bookings } = await tx.booking.updateMany({ where, data: { state: 'lapsed' } })
      const { count: ends } = await tx.windDown.updateMany({ where, data: { state: 'lapsed', place: null } })
      if (decisions + bookings + ends === 0) throw new TippingRefusal('proposal-not-there', {})
      const text = `${person(operator)} cancelled a proposal by ${what}. It takes no effect`
      const about = `${proposal}, ${now(context).toISOString()}`
      await raiseAlert(context, tx, { kind: 'proposal-cancelled', about, text })
    },
  })
}

/** Describes a proposal and its operator: "olga: 5000 msats paid in for the operator". */
async function proposalInWords(tx: Tx, id: string): Promise<string> {
  const where = { id, state: 'proposed' }
  const booking = await tx.booking.findFirst({ where })
  if (booking !== null) return `${person(booking.proposedBy)}: ${bookingInWords(booking)}`
  const decision = await tx.decision.findFirst({ where })
  if (decision !== null) {
    const found = await findPayment(tx, decision.payment)
    const what = found === undefined ? decision.payment : `${paymentInWords(found)} ${said(found, decision)}`
    return `${person(decision.proposedBy)}: ${what}`
  }
  const end = await tx.windDown.findFirst({ where })
  return end === null ? id : `${person(end.proposedBy)}: the bot ends on ${utcMinute(end.by)}`
}

/** Applies single operators' proposals after their delay. Only the bot that maintains the book may do so. */
export async function takeUpDue(context: TippingContext, audit: () => Promise<unknown>): Promise<void> {
  const { read } = context.database
  const where = dueNow(context)
  if (where === undefined) return
  for (const decision of await read.decision.findMany({ where })) await decideDue(context, decision)
  for (const booking of await read.booking.findMany({ where })) await bookDue(context, booking, audit)
}
