import { msats } from '../../lib/amount.ts'
import type { TippingContext } from '../context.ts'
import type { Deposit } from '../generated/client.ts'
import { Refusal } from '../refusal.ts'
import type { DepositView } from '../tipping.ts'

/** A deposit as it stands. Throws Refusal `not-there`, or that its charge never came about. */
export async function readDepositView({ database }: TippingContext, id: string): Promise<DepositView> {
  const deposit = await database.read.deposit.findUnique({ where: { id } })
  if (deposit === null) throw new Refusal('not-there', {})
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
export function notCreated(reason: string | null): Refusal {
  return reason === null
    ? new Refusal('provider-unreachable', {})
    : new Refusal('provider-refused', { message: reason })
}
