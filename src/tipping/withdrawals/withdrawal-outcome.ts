import { isPreimageOf } from '../../lib/lightning/preimage.ts'
import type { Msats } from '../../lib/money/amount.ts'
import { type DataOf, type Operations, progressOf } from '../../payments-api/payments-api.ts'
import { providerWords } from '../core/provider-words.ts'
import type { Outcome, ProviderAnswer } from '../engine/outgoing/outgoing.ts'
import type { Withdrawal } from '../generated/client.ts'

/** A paid withdrawal; its fee is undefined until the provider reports it. */
export interface PaidWithdrawal {
  readonly remoteId: string
  readonly fee: Msats | undefined
  /** The checked preimage, in hex; undefined unless an invoice was paid and the provider reports its preimage. */
  readonly preimage?: string | undefined
}

/** A withdrawal that the provider has and that has not ended. */
export interface OpenWithdrawal {
  readonly remoteId: string
  readonly offer?: Offer
}

export type WithdrawalOutcome = Outcome<PaidWithdrawal, OpenWithdrawal>

/** A code that waits to be scanned. */
interface Offer {
  readonly request: string
  readonly expiresAt: Date | null
  /** Whether somebody has scanned the code. */
  readonly claimed: boolean
}

type PaymentData = DataOf<Operations['sendPayment']>
type RequestData = DataOf<Operations['createWithdrawalRequest']>
type WithdrawalAnswer = ProviderAnswer<PaidWithdrawal, OpenWithdrawal>

/** Interprets a payment's record. A record of another invoice or amount says nothing about ours. */
export function answerOfPayment({ invoice, amount, paymentHash }: Withdrawal, data: PaymentData): WithdrawalAnswer {
  const { id: remoteId, status } = data
  const other = data.invoice !== null && data.invoice !== '' && data.invoice.toLowerCase() !== invoice
  const isAnother = other || data.amount !== amount
  const unlike = isAnother ? `the provider shows another payment: ${data.amount} msats, ${status}` : undefined
  return { amount: data.amount, remoteId, outcome: outcomeOfPayment(data, paymentHash ?? ''), unlike }
}

function outcomeOfPayment(
  { id: remoteId, status, fee, failure, preimage }: PaymentData,
  paymentHash: string,
): WithdrawalOutcome {
  const progress = progressOf(status)
  if (progress === 'completed') {
    const proof = preimage != null && isPreimageOf(preimage, paymentHash) ? preimage : undefined
    return { kind: 'paid', remoteId, fee, preimage: proof }
  }
  if (progress === 'failed') {
    const { code, message } = failure ?? {}
    const reason = code || message ? providerWords({ code, message: message ?? '' }) : null
    return { kind: 'failed', because: 'failed', reason }
  }
  return { kind: 'open', remoteId }
}

/** Interprets a withdrawal request's record. */
export function answerOfRequest({ amount }: Withdrawal, data: RequestData): WithdrawalAnswer {
  const isAnother = data.amount !== amount
  const unlike = isAnother ? `the provider shows another withdrawal request: ${data.amount} msats` : undefined
  return { amount: data.amount, remoteId: data.id, outcome: outcomeOfRequest(data), unlike }
}

/**
 * Returns the outcome of a withdrawal request. A failed claim reopens the request, so only `completed` and `expired`
 * are final.
 */
function outcomeOfRequest({ id: remoteId, status, fee, expiresAt, invoice }: RequestData): WithdrawalOutcome {
  const progress = progressOf(status)
  if (progress === 'completed') return { kind: 'paid', remoteId, fee: fee ?? undefined }
  if (progress === 'expired') return { kind: 'failed', because: 'expired', reason: null }
  return {
    kind: 'open',
    remoteId,
    offer: { request: invoice.request, expiresAt, claimed: status === 'processing' },
  }
}
