import { readSuccessAction, type SuccessWords, wordsOf } from '../../lib/lightning/success-action.ts'
import { msats } from '../../lib/money/amount.ts'
import type { CoreContext } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { Withdrawal } from '../generated/client.ts'
import { isLate } from './tell-late.ts'
import { hasFailedTry } from './withdrawal-kind.ts'
import type { ReturnedBecause, WithdrawalKind, WithdrawalState, WithdrawalView } from './withdrawals.ts'

/** Returns a withdrawal's present view. Throws TippingRefusal `not-there`. */
export async function viewWithdrawal({ database, providerNode }: CoreContext, id: string): Promise<WithdrawalView> {
  const withdrawal = await database.read.withdrawal.findFirst({ where: { id } })
  if (withdrawal === null) throw new TippingRefusal('not-there', {})
  const { about, fee } = withdrawal
  const paid = about === null ? null : await database.read.invoice.findFirst({ where: { id: about } })
  const isPriced = withdrawal.state === 'asked' && withdrawal.feeLimit > 0n
  const amount = msats(withdrawal.amount)
  return {
    id,
    card: withdrawal.card ?? undefined,
    member: withdrawal.member,
    kind: withdrawal.kind as WithdrawalKind,
    amount,
    feeLimit: msats(withdrawal.feeLimit),
    fee: fee === null ? undefined : msats(fee),
    price: isPriced ? (await providerNode()).priceOf(amount) : undefined,
    everything: withdrawal.everything,
    destination: withdrawal.destination ?? undefined,
    payee: paid?.member,
    state: withdrawal.state === 'reserved' ? 'sending' : (withdrawal.state as WithdrawalState),
    late: isLate(withdrawal),
    because: (withdrawal.because ?? undefined) as ReturnedBecause | undefined,
    reason: withdrawal.reason ?? undefined,
    request: withdrawal.request ?? undefined,
    expiresAt: withdrawal.expiresAt ?? undefined,
    endedAt: withdrawal.endedAt ?? undefined,
    triedInVain: withdrawal.state === 'offered' && hasFailedTry(withdrawal),
    said: saidAfter(withdrawal),
  }
}

function saidAfter({ state, successAction, preimage }: Withdrawal): SuccessWords | undefined {
  const action = state === 'paid' ? readSuccessAction(successAction) : undefined
  return action && wordsOf(action, preimage ?? undefined)
}
