import { AlreadyWritten, type Entry, InsufficientFunds } from '../../ledger/ledger.ts'
import { MAX_MSATS, type Msats, msats } from '../../lib/money/amount.ts'
import { utcMinute } from '../../lib/utc-minute.ts'
import { readAllAddresses } from '../addresses/poll-address.ts'
import { askWallet } from '../audit/audit-books.ts'
import { readAfterTheWallet, readBeforeTheWallet } from '../audit/cover.ts'
import { WAITS_MS, waiting } from '../audit/proposed-bookings.ts'
import { member as memberAccount, OPERATOR, SUSPENSE, WALLET } from '../core/chart-of-accounts.ts'
import { type Book, now, type ReadonlyBook } from '../core/context.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { person, raiseAlert } from '../engine/alerts/alerts.ts'
import { noteMember } from '../engine/members/note-member.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Booking } from '../generated/client.ts'
import type { BookingCommand, BookingKind, BookingView } from './adjustments.ts'
import { MAX_DECISION_REASON } from './decide-payment.ts'
import { assertMayTakeEffect, DELAY, dueAlone, UNOPPOSED } from './lone-word.ts'

/**
 * Books sats that moved without a member's command: one operator proposes the booking, which is made when another
 * agrees. Throws TippingRefusal `booking-needs-another`, `proposal-waits`, `provider-unreachable` or `text-too-long`, a
 * refusal of `tooMuch`, or a refusal of the amount.
 */
export async function adjustBooks(
  context: TippingContext,
  command: BookingCommand,
  audit: () => Promise<unknown>,
): Promise<BookingView> {
  const reason = command.reason.trim()
  if (reason.length > MAX_DECISION_REASON)
    throw new TippingRefusal('text-too-long', { what: 'reason', most: MAX_DECISION_REASON })
  const { what, operator } = command
  const member = what === 'suspense' ? (command.member ?? null) : null
  const amount = readAmount(command.amount, { smallest: msats(1n), largest: MAX_MSATS, rates: context.rates })
  const most = await mostOf(context, what)
  if (amount > most) throw tooMuch(what, most)
  const open = await proposalOf(context, { what, member, amount })
  if (open === undefined) return await propose(context, { what, member, amount, operator, reason })
  if (open.proposedBy === operator) throw saidAlready(open)
  const done = await second(context, open, { operator, reason })
  // Outgoing payments may have been paused because of this difference.
  await audit()
  return done
}

/** Returns the refusal for an operator who proposes the same booking again. */
function saidAlready({ dueAt }: Pick<Booking, 'dueAt'>): TippingRefusal {
  return dueAt === null
    ? new TippingRefusal('booking-needs-another', {})
    : new TippingRefusal('proposal-waits', { until: dueAt })
}

/**
 * Books a single operator's proposal after its delay, if the wallet still confirms it. If the wallet does not confirm
 * it, the proposal lapses; while the provider does not answer, the proposal waits.
 */
export async function bookDue(context: TippingContext, open: Booking, audit: () => Promise<unknown>): Promise<void> {
  try {
    const what = open.what as BookingKind
    const most = await mostOf(context, what)
    if (open.amount > most) throw tooMuch(what, most)
    await second(context, open, { operator: DELAY, reason: UNOPPOSED })
  } catch (error) {
    if (!(error instanceof TippingRefusal)) throw error
    if (error.code === 'provider-unreachable') return
    const text = `${inWords(open)}, as ${person(open.proposedBy)} said, is not booked: the wallet does not show it any more`
    await context.commit({
      write: async (tx) => {
        const { count } = await tx.booking.updateMany({
          where: { id: open.id, state: 'proposed' },
          data: { state: 'lapsed' },
        })
        if (count > 0) await raiseAlert(context, tx, { kind: 'booking-lapsed', about: open.id, text })
      },
    })
  }
  await audit()
}

/**
 * Returns the largest amount that can be booked. Sums paid in must be in the wallet, and sums taken out must be missing
 * from it: with a larger booking, the cover formula would certainly fail. For `suspense`, the whole balance of the
 * suspense account can be booked.
 */
async function mostOf(context: TippingContext, what: BookingKind): Promise<Msats> {
  if (what === 'suspense') return msats(await context.ledger.balance(SUSPENSE))
  // Payments to members' addresses belong to them, and are credited before anything is booked for the operator.
  if (!(await readAllAddresses(context))) throw new TippingRefusal('provider-unreachable', {})
  const before = await readBeforeTheWallet(context)
  const { wallet } = await askWallet(context)
  if (wallet === undefined) throw new TippingRefusal('provider-unreachable', {})
  const { mayHaveLeft, mayHaveArrived } = await readAfterTheWallet(context, before)
  const most = what === 'top-up' ? wallet - (before.expected - mayHaveLeft) : before.expected + mayHaveArrived - wallet
  return msats(most > 0n ? most : 0n)
}

/** Returns the refusal for an operator who tries to book more than is possible. */
function tooMuch(what: BookingKind, most: Msats): TippingRefusal {
  if (what === 'suspense')
    return most > 0n ? new TippingRefusal('suspense-exceeds', { most }) : new TippingRefusal('suspense-empty', {})
  if (most > 0n) return new TippingRefusal('booking-exceeds', { most })
  return new TippingRefusal(what === 'top-up' ? 'nothing-paid-in' : 'nothing-taken-out', {})
}

type What = Pick<Booking, 'what' | 'member' | 'amount'>

/** Finds an equal proposal that has not lapsed. */
async function proposalOf(context: ReadonlyBook, asked: What): Promise<Booking | undefined> {
  return (await context.database.read.booking.findFirst({ where: openProposal(context, asked) })) ?? undefined
}

function openProposal({ clock }: Pick<TippingContext, 'clock'>, { what, member, amount }: What) {
  return { what, member, amount, ...waiting(clock.now()) }
}

async function propose(
  context: Book,
  { operator, reason, ...asked }: What & { readonly operator: string; readonly reason: string },
): Promise<BookingView> {
  const at = now(context)
  const booking: Booking = {
    id: context.entropy.uuid(),
    ...asked,
    state: 'proposed',
    proposedBy: operator,
    proposedReason: reason,
    proposedAt: at,
    secondedBy: null,
    secondedReason: null,
    secondedAt: null,
    dueAt: null,
  }
  const says = `${person(operator)} books ${inWords(booking)}: ${reason}.`
  const isSaid = await context.commit({
    write: async (tx) => {
      // The same command may arrive twice at once, and two proposals would permit booking it twice.
      const open = await tx.booking.findFirst({ where: openProposal(context, asked) })
      if (open !== null) throw saidAlready(open)
      const lapsed = { state: 'proposed', dueAt: null, proposedAt: { lte: new Date(at.getTime() - WAITS_MS) } }
      await tx.booking.updateMany({ where: lapsed, data: { state: 'lapsed' } })
      const dueAt = await dueAlone(context, tx)
      await tx.booking.create({ data: { ...booking, dueAt } })
      const next =
        dueAt === null
          ? 'It needs the confirmation of a second operator within a day'
          : `It takes effect on ${utcMinute(dueAt)}, unless it is cancelled: /admin cancel`
      await raiseAlert(context, tx, { kind: 'booking-proposed', about: booking.id, text: `${says} ${next}` })
      return { dueAt }
    },
  })
  return viewBooking({ ...booking, ...isSaid })
}

async function second(
  context: Book,
  open: Booking,
  { operator, reason }: { readonly operator: string; readonly reason: string },
): Promise<BookingView> {
  const at = now(context)
  const done = { state: 'done', secondedBy: operator, secondedReason: reason, secondedAt: at }
  const alone = operator === DELAY
  const who = alone ? `${person(open.proposedBy)} has` : `${person(open.proposedBy)} and ${person(operator)} have`
  const text = `${who} booked ${inWords(open)}: ${open.proposedReason}; ${reason}`
  try {
    await context.commit({
      entries: [entryOf(open)],
      write: async (tx) => {
        if (alone) await assertMayTakeEffect(context, tx)
        if (open.member !== null) await noteMember(tx, open.member, at)
        await tx.booking.update({ where: { id: open.id, state: 'proposed' }, data: done })
        await raiseAlert(context, tx, { kind: 'booking-done', about: open.id, text })
      },
    })
  } catch (error) {
    // It was just taken out of suspense.
    if (error instanceof InsufficientFunds) throw tooMuch(open.what as BookingKind, msats(error.balance))
    // A third operator was faster.
    if (!(error instanceof AlreadyWritten)) throw error
  }
  return viewBooking({ ...open, ...done })
}

function entryOf({ id, what, member, amount }: Booking): Entry {
  const toWhom = member === null ? OPERATOR : memberAccount(member)
  const ways = {
    'top-up': { from: WALLET, to: OPERATOR },
    'take-out': { from: OPERATOR, to: WALLET },
    suspense: { from: SUSPENSE, to: toWhom },
  } as const
  return { operation: id, step: 'post', moves: [{ ...ways[what as BookingKind], amount: msats(amount) }] }
}

/** Describes a booking in words, for alerts. */
export function inWords({ what, member, amount }: What): string {
  const ways: Readonly<Record<BookingKind, string>> = {
    'top-up': 'paid in for the operator',
    'take-out': 'taken out by the operator',
    suspense: `out of suspense to ${member === null ? 'the operator' : person(member)}`,
  }
  return `${amount} msats ${ways[what as BookingKind]}`
}

/** Returns a booking as operators see it. */
export function viewBooking({ id, what, member, amount, state, dueAt }: Booking): BookingView {
  return {
    id,
    what: what as BookingKind,
    amount: msats(amount),
    member: member ?? undefined,
    state: state as BookingView['state'],
    dueAt: dueAt ?? undefined,
  }
}
