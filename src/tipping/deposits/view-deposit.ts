import type { Clock } from '../../lib/clock.ts'
import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { notCreated } from '../engine/incoming/not-created.ts'
import type { Deposit } from '../generated/client.ts'
import type { DepositView } from './deposits.ts'

/**
 * Returns a deposit's present view. Throws TippingRefusal `not-there`, or the refusal with which the deposit's charge
 * failed.
 */
export async function readDepositView({ database, clock }: ReadonlyBook, id: string): Promise<DepositView> {
  const deposit = await database.read.deposit.findUnique({ where: { id } })
  if (deposit === null) throw new TippingRefusal('not-there', {})
  if (deposit.state === 'failed' || deposit.state === 'creating') throw notCreated(deposit.reason)
  return viewDeposit(deposit, clock)
}

/** The time for which an invoice must still be payable in order to be shown. */
export const MIN_INVOICE_LEFT_MS = 60_000

export function viewDeposit(deposit: Deposit, clock: Clock): DepositView {
  const { id, card, member, state, request, invoice, invoiceExpiresAt } = deposit
  const isPayable = state === 'open' && (invoiceExpiresAt?.getTime() ?? 0) - clock.now() >= MIN_INVOICE_LEFT_MS
  return {
    id,
    card,
    member,
    amount: msats(deposit.amount),
    state: state as DepositView['state'],
    request: request ?? '',
    invoice: isPayable && invoice !== null ? invoice : undefined,
    asking: deposit.askedIn === null ? undefined : { note: deposit.note },
    paidAt: deposit.paidAt ?? undefined,
  }
}
