import type { Msats } from '../../lib/money/amount.ts'
import { PaymentsError, progressOf } from '../../payments-api/payments-api.ts'
import type { NotSentReason } from '../tipping.ts'

/**
 * What is known of a payout after asking. There are three outcomes; only proof leads to `paid` or `kept`, everything
 * else is `unknown` and leaves the money where it is: reserved.
 */
export type PayoutOutcome =
  | {
      readonly kind: 'paid'
      readonly transactionId: string | null
      readonly receiverId: string | null
      readonly fee: Msats
    }
  | { readonly kind: 'kept'; readonly because: NotSentReason; readonly reason: string | null }
  | { readonly kind: 'unknown'; readonly evidence: string; readonly transactionId: string | null }

/** Reads a success. A state whose name is not known is not final. */
export function outcomeOfAnswer(
  data: { status: string; receiverId: string | null },
  transactionId: string | null,
  fee: Msats,
): PayoutOutcome {
  if (progressOf(data.status) === 'completed') return { kind: 'paid', transactionId, receiverId: data.receiverId, fee }
  return { kind: 'unknown', evidence: `the provider says "${data.status}"`, transactionId }
}

/** Reads the failure of a payout's first request. Throws what is not the provider's doing. */
export function outcomeOfError(error: unknown): PayoutOutcome {
  if (!(error instanceof PaymentsError)) throw error
  if (error.happened === 'no') {
    return { kind: 'kept', because: becauseOf(error), reason: error.kind === 'refused' ? error.message : null }
  }
  return { kind: 'unknown', evidence: error.message, transactionId: null }
}

/** Whether the provider said no, or was not there to say anything. */
export function becauseOf(error: PaymentsError): NotSentReason {
  const away = error.kind !== 'refused' || error.status === 503 || error.status === 429
  return away ? 'unreachable' : 'refused'
}
