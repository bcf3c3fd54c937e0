import { msats } from '../../lib/money/amount.ts'
import type { TippingContext } from '../context.ts'
import type { Deposit } from '../generated/client.ts'
import type { DepositView } from '../tipping.ts'
import { TippingRefusal } from '../tipping-refusal.ts'

/** A deposit as it stands. Throws TippingRefusal `not-there`, or that its charge never came about. */
export async function readDepositView({ database }: TippingContext, id: string): Promise<DepositView> {
  const deposit = await database.read.deposit.findUnique({ where: { id } })
  if (deposit === null) throw new TippingRefusal('not-there', {})
  if (deposit.state === 'failed' || deposit.state === 'creating') throw notCreated(deposit.reason)
  return viewDeposit(deposit)
}

export function viewDeposit(deposit: Deposit): DepositView {
  const { id, card, member, state, request } = deposit
  return {
    id,
    card,
    member,
    amount: msats(deposit.amount),
    state: state as DepositView['state'],
    request: request ?? '',
    paidAt: deposit.paidAt ?? undefined,
  }
}

/** Why there is no charge: in the provider's words, or because it could not be reached. */
export function notCreated(reason: string | null): TippingRefusal {
  return reason === null
    ? new TippingRefusal('provider-unreachable', {})
    : new TippingRefusal('provider-refused', { message: reason })
}
