import type { FailureCode } from '../backend.ts'

interface FinalFailure {
  readonly code: FailureCode
  /** A sentence for the payer. */
  readonly reason: string
}

const NOT_CONNECTED: FinalFailure = {
  code: 'no_route',
  reason: 'The Lightning node has no channel that it can use now. Try again in a few minutes.',
}
const NO_ROUTE: FinalFailure = { code: 'no_route', reason: 'No route could carry the payment.' }

/**
 * The reasons of a `payment_failed` after which this call has nothing under way, in lightning-kmp's words
 * (OutgoingPaymentFailure.kt, `FinalFailure`; phoenixd passes on `reason.toString()`, JsonSerializers.kt). Each
 * corresponds to one place in OutgoingPaymentHandler.kt where the payment ends: before its first part, or after the
 * last part failed. Texts are not a contract, so the record (`outgoingbyhash`) must confirm the failure. An unlisted
 * reason proves nothing: "this invoice has already been paid" and "another payment is in progress for that invoice"
 * concern another call, and "an unknown error occurred" proves nothing.
 */
export const FINAL_PHOENIXD_FAILURES: ReadonlyMap<string, FinalFailure> = new Map<string, FinalFailure>([
  // InvalidPaymentAmount, FeaturesNotSupported, InvalidPaymentId: checked before a part is sent.
  [
    'payment amount must be positive',
    { code: 'refused_by_node', reason: 'The Lightning node refused the amount. Nothing was sent.' },
  ],
  [
    'payment request features not supported',
    { code: 'refused_by_node', reason: 'The Lightning node does not support this invoice. Ask for another one.' },
  ],
  [
    'payment ID must be unique',
    { code: 'refused_by_node', reason: 'The Lightning node refused the request. Nothing was sent.' },
  ],
  // ChannelNotConnected, ChannelOpening, ChannelClosing: no channel accepted a part.
  ['channel is not connected yet, please retry when connected', NOT_CONNECTED],
  ['channel creation is in progress, please retry when ready', NOT_CONNECTED],
  ['channel closing is in progress, please retry when a new channel has been created', NOT_CONNECTED],
  // NoAvailableChannels, RetryExhausted: every part failed, and no other is tried.
  ['payment could not be sent through existing channels, check individual failures for more details', NO_ROUTE],
  ['payment attempts exhausted without success', NO_ROUTE],
  // InsufficientBalance: checked before a part is sent.
  [
    'not enough funds in wallet to afford payment',
    { code: 'no_liquidity', reason: 'The Lightning node has too little to send now.' },
  ],
  // RecipientUnreachable, RecipientRejectedPayment: the last part came back with the payee's answer.
  [
    'the recipient was offline or did not have enough liquidity to receive the payment',
    { code: 'no_route', reason: 'The payee cannot be reached, or cannot receive so much now.' },
  ],
  [
    'the recipient rejected the payment',
    { code: 'refused_by_payee', reason: 'The payee does not accept this payment. Ask for a new invoice.' },
  ],
])

/**
 * The HTTP statuses of `payinvoice` that phoenixd returns before it reads the invoice (Api.kt): 400 for a missing or
 * wrong parameter, 401 for a password without the right to send.
 */
export const REFUSED_UNSENT: ReadonlySet<number> = new Set([400, 401])
