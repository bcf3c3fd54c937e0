import type { Entry } from '../../ledger/ledger.ts'
import { msats, ZERO } from '../../lib/money/amount.ts'
import type { TippingContext } from '../context.ts'
import type { Tx } from '../database.ts'
import type { Decision } from '../generated/client.ts'
import { changeForOutcome } from '../outgoing/record-outcome.ts'
import { PAYOUTS } from '../payouts/payout-kind.ts'
import { changeForRevocation } from '../vouchers/end-revocation.ts'
import { REDEMPTIONS } from '../vouchers/redemption-kind.ts'
import { VOUCHERS } from '../vouchers/voucher-kind.ts'
import { WITHDRAWALS } from '../withdrawals/withdrawal-kind.ts'
import { correctedEnd } from './corrected-end.ts'
import type { Decidable } from './unknown-payments.ts'

export interface DecidedEnd {
  readonly entries: readonly Entry[]
  readonly write: (tx: Tx) => Promise<void>
}

/** What two operators' decision changes; its `write` throws when the provider told the end meanwhile. */
export async function decidedEnd(
  context: TippingContext,
  decidable: Decidable,
  decision: Decision,
  reason: string,
): Promise<DecidedEnd> {
  if (decidable.ended !== undefined) return await correctedEnd(context, decidable, decision, reason)
  const paid = decision.outcome === 'paid'
  switch (decidable.kind) {
    case 'payout': {
      const { transactionId, receiverId } = decidable.payment
      return changeForOutcome(
        context,
        PAYOUTS,
        decidable.payment,
        paid ? { kind: 'paid', transactionId, receiverId, fee: ZERO } : { kind: 'failed', because: 'refused', reason },
      )
    }
    case 'withdrawal': {
      const { payment } = decidable
      const remoteId = payment.remoteId ?? `decided-${decision.id}`
      // The fee is not known: the whole of its limit is counted, which the member has agreed to.
      const fee = msats(payment.feeLimit)
      return changeForOutcome(
        context,
        WITHDRAWALS,
        payment,
        paid ? { kind: 'paid', remoteId, fee } : { kind: 'failed', because: 'failed', reason },
      )
    }
    case 'voucher':
      return changeForOutcome(
        context,
        VOUCHERS,
        decidable.payment,
        paid ? { kind: 'paid', made: null, reason } : { kind: 'failed', because: 'refused', reason },
      )
    case 'revocation':
      return changeForRevocation(context, decidable.payment, paid ? 'redeemed' : 'revoked')
    case 'redemption': {
      const amount = msats(decision.amount ?? 0n)
      return changeForOutcome(
        context,
        REDEMPTIONS,
        decidable.payment,
        paid ? { kind: 'paid', amount } : { kind: 'failed', because: 'failed', reason },
      )
    }
    default:
      return decidable satisfies never
  }
}
