import { token } from '../../lib/entropy.ts'
import { msats } from '../../lib/money/amount.ts'
import { commitEnd, Overtaken, whileDatabaseIsAway } from '../core/commit-end.ts'
import { type Book, now } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { backToMember, FIRST_POLL_MS } from '../engine/outgoing/record-outcome.ts'
import { sendReserved } from '../engine/outgoing/send-outgoing.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { AddressLine } from '../generated/client.ts'
import { mustBeElsewhere, mustBeFree } from '../withdrawals/conditions.ts'
import { fetchInvoice } from '../withdrawals/fetch-invoice.ts'
import { logReturnedLines } from '../withdrawals/log-returned-lines.ts'
import { readAddress } from '../withdrawals/read-destination.ts'
import { type PayableWithdrawal, payableBy } from '../withdrawals/start-withdrawal.ts'
import { WITHDRAWALS } from '../withdrawals/withdrawal-kind.ts'
import { storeRefusal } from './stored-refusal.ts'

/** The most lines that are paid at the same time. */
const MAX_CONCURRENT = 6
/**
 * The most attempts to pay a line. There are several, because an address that does not answer now may do so later. The
 * attempts follow the pace of the list's polls.
 */
const MAX_TRIES = 6
const TRANSIENT = ['address-unreachable', 'address-turned-away', 'address-broken']

/** Starts to pay these lines of a list, a few at a time, in this order. Does not wait for the payments. */
export function payAddressLines(context: TippingContext, lines: readonly string[]): void {
  const waiting = lines[Symbol.iterator]()
  const paySome = async () => {
    for (const id of waiting) {
      if (context.activity.closed) return
      // The activity logs errors, so one line's error does not prevent another's payment.
      await context.activity.run('pay a line of a list', () => whileDatabaseIsAway(context, () => payLine(context, id)))
    }
  }
  for (let i = 0; i < MAX_CONCURRENT; i += 1) void context.activity.run('pay lines of a list', paySome)
}

async function payLine(context: TippingContext, id: string): Promise<void> {
  const line = await context.database.read.addressLine.findUnique({ where: { id } })
  if (line?.state === 'waiting' && !line.restored) {
    if (!context.outgoingSwitch.open) return await release(context, line, line.tries)
    if (!(await makeWithdrawal(context, line))) return
  }
  await sendReserved(context, WITHDRAWALS, id)
}

/**
 * Requests an invoice, and transfers the line's reserved sats to the withdrawal that pays the invoice. Resolves to
 * whether the withdrawal was created.
 */
async function makeWithdrawal(context: TippingContext, line: AddressLine): Promise<boolean> {
  try {
    await mustBeElsewhere(context, line.address)
    // The request counts for the line, not for its moderator, who may withdraw at the same time.
    const address = { ...readAddress(context, line.address), member: line.id }
    await handOver(context, line, payableBy(await fetchInvoice(context, address, msats(line.amount))))
    return true
  } catch (error) {
    if (error instanceof Overtaken) return false
    if (error instanceof TippingRefusal) await refused(context, line, error)
    // After any other error, another poll of the list tries again.
    else await release(context, line, line.tries)
    if (error instanceof TippingRefusal) return false
    throw error
  }
}

async function handOver(context: Book, line: AddressLine, payable: PayableWithdrawal): Promise<void> {
  const { id, process, member, guild, address, amount, feeLimit, card } = line
  const [callbackToken, at] = [token(context.entropy), now(context)]
  await context.commit({
    write: async (tx) => {
      await mustBeFree(tx, payable.paymentHash)
      const where = { id, state: 'waiting', process, restored: false }
      const { count } = await tx.addressLine.updateMany({ where, data: { state: 'sent' } })
      if (count !== 1) throw new Overtaken(`the line ${id} has moved on`)
      await tx.withdrawal.create({
        data: {
          ...{ id, member, pool: guild, kind: 'address', amount, feeLimit, destination: address, card },
          ...{ ...payable, state: 'reserved', token: callbackToken, process: context.ownership.me },
          ...{ key: `withdrawal-${id}`, createdAt: at },
        },
      })
      const first = new Date(at.getTime() + FIRST_POLL_MS)
      await schedulePoll(tx, { id, kind: 'withdrawal', bornAt: at, token: callbackToken }, first)
    },
  })
}

async function refused(context: TippingContext, line: AddressLine, refusal: TippingRefusal): Promise<void> {
  const tries = line.tries + 1
  if (TRANSIENT.includes(refusal.code) && tries < MAX_TRIES) return await release(context, line, tries)
  await returnLine(context, line, refusal)
}

/** Releases a line, so that the next poll of its list takes it. */
async function release({ commit }: Book, { id, process }: AddressLine, tries: number): Promise<void> {
  const where = { id, state: 'waiting', process }
  await commit({ write: (tx) => tx.addressLine.updateMany({ where, data: { process: null, tries } }) })
}

/**
 * Returns a line's sats to the pool, because no invoice was paid. `refusal` is undefined if the books were restored.
 */
export async function returnLine(
  context: TippingContext,
  line: AddressLine,
  refusal: TippingRefusal | undefined,
): Promise<void> {
  const { id, member, guild, process, card, amount, feeLimit } = line
  const problem = refusal === undefined ? null : storeRefusal(refusal)
  await commitEnd(context, {
    entries: [
      { operation: id, step: 'void', moves: [backToMember({ member, pool: guild }, msats(amount + feeLimit))] },
    ],
    write: async (tx) => {
      const where = { id, state: 'waiting', process }
      const data = { state: 'returned', problem, endedAt: now(context) }
      const { count } = await tx.addressLine.updateMany({ where, data })
      if (count !== 1) throw new Overtaken(`the line ${id} has moved on`)
      await context.cards.raise(tx, [card])
      await logReturnedLines(context, tx, id)
    },
  })
}
