import { progressOf } from '../../payments-api/payments-api.ts'
import { member, OPERATOR } from '../core/chart-of-accounts.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import {
  changeOfDisabled,
  type IncomingKind,
  readSlots,
  slotsAround,
  type WithCharge,
} from '../engine/incoming/read-charge.ts'
import { paceMs } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Deposit } from '../generated/client.ts'

/** The most payments expected for a charge with one slot, which a race at the provider may allow to be paid again. */
const MAX_SLOTS = 10

/**
 * The value that stands for the member in deposits that fill the operator's account. No member has this id, because
 * Discord's ids are numbers.
 */
export const OPERATORS_DEPOSITS = 'operator'

/** Deposits, whose payments are credited to the member's balance or to the operator's account. */
export const DEPOSITS: IncomingKind<Deposit> = {
  noun: 'deposit',
  find: (read, id) => read.deposit.findUnique({ where: { id } }),
  accountOf: (deposit) => (deposit.member === OPERATORS_DEPOSITS ? OPERATOR : member(deposit.member)),
  async uncertain({ database }) {
    const where = { OR: [{ state: 'creating' }, { state: { in: ['open', 'closed'] }, disabled: false }] }
    const { _sum } = await database.read.deposit.aggregate({ where, _sum: { amount: true } })
    return { mayHaveArrived: _sum.amount ?? 0n }
  },
  disabledSince: (deposit) => deposit.disabledSince,
  pauseMs: (context, _, job) => paceMs(job.bornAt, context.clock.now()),

  async read(context, deposit, credit) {
    const { amount } = deposit
    const fixed = { amount, maxSlots: MAX_SLOTS, about: `a deposit of ${amount} msats` }
    const charge = await readSlots(context, deposit, fixed, credit)
    if (charge === undefined) return 'refused'
    await noteState(context, deposit, progressOf(charge.status) === 'disabled', charge.slots)
    return 'credited'
  },

  async note(context, tx, { id, card, member, paidAt }, arrivals) {
    const { before, after } = slotsAround(arrivals)
    await tx.deposit.update({
      where: { id, credited: before },
      data: { credited: after, state: 'paid', paidAt: paidAt ?? now(context) },
    })
    // Nobody is told about the operator's.
    if (member === OPERATORS_DEPOSITS) return
    await context.cards.raise(tx, [card])
    const told = await tx.card.findUnique({ where: { kind_record: { kind: 'deposit-paid', record: id } } })
    if (told) return context.cards.raise(tx, [told.id])
    const values = { id: context.entropy.uuid(), kind: 'deposit-paid', record: id, audience: { member } } as const
    await tx.card.create({ data: context.cards.values(values) })
  },
}

/** Returns for how many milliseconds a deposit without a purpose can be paid. */
export function openForMs({ settings }: Pick<TippingContext, 'settings'>): number {
  return settings.depositOpenHours * 3_600_000
}

/** Returns when an unpaid deposit closes, in milliseconds since 1970. */
export function endOf(context: ReadonlyBook, { closesAt, createdAt }: Pick<Deposit, 'closesAt' | 'createdAt'>): number {
  return closesAt?.getTime() ?? createdAt.getTime() + openForMs(context)
}

async function noteState(
  context: TippingContext,
  { id, card, state, chargeId, ...deposit }: WithCharge<Deposit>,
  disabled: boolean,
  slots: number,
): Promise<void> {
  const data = changeOfDisabled(deposit, disabled, now(context))
  if (data) await context.commit({ write: (tx) => tx.deposit.updateMany({ where: { id }, data }) })
  const over = context.clock.now() >= endOf(context, deposit) && context.clockWatch.isSteady()
  if (slots > 0 || !(state === 'closed' || (state === 'open' && over))) return
  if (state === 'open') {
    await context.commit({
      write: async (tx) => {
        await tx.deposit.updateMany({ where: { id, state: 'open' }, data: { state: 'closed' } })
        await context.cards.raise(tx, [card])
      },
    })
  }
  // For a person who still has the code. If the provider cannot do it, nothing is lost, because late payments are
  // credited.
  if (!disabled) await context.payments.updateStaticCharge({ id: chargeId, allowedSlots: 0 })
}
