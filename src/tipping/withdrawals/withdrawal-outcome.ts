import type { Msats } from '../../lib/money/amount.ts'
import { type DataOf, type Operations, PaymentsError, progressOf } from '../../payments-api/payments-api.ts'
import type { Withdrawal } from '../generated/client.ts'
import { failureOf } from '../outgoing/failures.ts'
import type { ReturnedBecause } from './withdrawals.ts'

/**
 * What is known of a withdrawal after asking. Only proof leads to `paid` or `returned`; `open` means that the provider
 * has it and it has not ended, `unknown` that nobody can say.
 */
export type WithdrawalOutcome =
  /** The fee is undefined as long as the provider does not name it. */
  | { readonly kind: 'paid'; readonly remoteId: string; readonly fee: Msats | undefined }
  | { readonly kind: 'returned'; readonly because: ReturnedBecause; readonly reason: string | null }
  | { readonly kind: 'open'; readonly remoteId: string; readonly offer?: Offer }
  /** `answered`: the amount, in msats, of an answer that is about something else. */
  | { readonly kind: 'unknown'; readonly evidence: string; readonly answered?: Msats }

/** A code that waits to be scanned. */
export interface Offer {
  readonly request: string
  readonly expiresAt: Date | null
  /** Somebody has scanned it. */
  readonly claimed: boolean
}

type PaymentData = DataOf<Operations['sendPayment']>
type RequestData = DataOf<Operations['createWithdrawalRequest']>

/** Reads a payment. One of another invoice or amount says nothing about ours. */
export function outcomeOfPayment({ invoice, amount }: Withdrawal, data: PaymentData): WithdrawalOutcome {
  const { id: remoteId, status, fee } = data
  const other = data.invoice !== null && data.invoice !== '' && data.invoice.toLowerCase() !== invoice
  if (other || data.amount !== amount) {
    const evidence = `the provider shows another payment: ${data.amount} msats, ${status}`
    return { kind: 'unknown', evidence, answered: data.amount }
  }
  const progress = progressOf(status)
  if (progress === 'completed') return { kind: 'paid', remoteId, fee }
  if (progress === 'failed') return { kind: 'returned', because: 'failed', reason: null }
  return { kind: 'open', remoteId }
}

/** Reads a withdrawal request. A claim that failed re-opens it, so only `completed` and `expired` are ends. */
export function outcomeOfRequest({ amount }: Withdrawal, data: RequestData): WithdrawalOutcome {
  const { id: remoteId, status, fee, expiresAt } = data
  if (data.amount !== amount) {
    const evidence = `the provider shows another withdrawal request: ${data.amount} msats`
    return { kind: 'unknown', evidence, answered: data.amount }
  }
  const progress = progressOf(status)
  if (progress === 'completed') return { kind: 'paid', remoteId, fee: fee ?? undefined }
  if (progress === 'expired') return { kind: 'returned', because: 'expired', reason: null }
  return {
    kind: 'open',
    remoteId,
    offer: { request: data.invoice.request, expiresAt, claimed: status === 'processing' },
  }
}

/** Reads the failure of a withdrawal's first request. Throws what is not the provider's doing. */
export function outcomeOfError(error: unknown): WithdrawalOutcome {
  if (!(error instanceof PaymentsError)) throw error
  if (error.happened === 'maybe') return { kind: 'unknown', evidence: error.message }
  const { because, reason } = failureOf(error)
  return { kind: 'returned', because: because === 'refused' ? 'refused' : 'unreachable', reason }
}
