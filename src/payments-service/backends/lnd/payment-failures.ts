import type { FailureCode } from '../backend.ts'
import type { LndPayment } from './lnd-api.ts'

interface Meaning {
  readonly code: FailureCode
  readonly reason: string
}

/**
 * The reasons of lnd's FAILED, and their meanings. FAILED proves that the payment can never settle, because lnd reports
 * it only when no HTLC of the payment is in flight or settled (`decidePaymentStatus`, payments/db/payment_status.go,
 * v0.21.2). `Tried` marks answers of a real lnd in this project's tests (npm run prove -- nodes); the others are known
 * only from `PaymentFailureReason` in lightning.proto.
 */
export const FINAL_LND_FAILURES: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  // Tried: a fee limit below every route, and a keysend to an unknown node.
  ['FAILURE_REASON_NO_ROUTE', { code: 'no_route', reason: 'There is no route to the payee within the fee limit.' }],
  // Tried: more than our side holds, and an unreachable hub.
  [
    'FAILURE_REASON_INSUFFICIENT_BALANCE',
    {
      code: 'no_liquidity',
      reason: 'The Lightning node has too little on its side of its open channels.',
    },
  ],
  // Tried: an invoice that the payee had canceled.
  [
    'FAILURE_REASON_INCORRECT_PAYMENT_DETAILS',
    {
      code: 'refused_by_payee',
      reason: 'The payee does not take this payment: the invoice was paid, canceled, or has expired.',
    },
  ],
  // Read: no attempt starts after timeout_seconds, and none is under way.
  ['FAILURE_REASON_TIMEOUT', { code: 'timed_out', reason: 'No route to the payee worked in time.' }],
  // Read.
  ['FAILURE_REASON_ERROR', { code: 'other', reason: 'The Lightning node could not send the payment.' }],
  // Read: somebody canceled the loop of attempts at the node.
  ['FAILURE_REASON_CANCELED', { code: 'other', reason: 'The payment was canceled at the Lightning node.' }],
])

/** Returns the meaning of FAILED; undefined for an unlisted reason, and for NONE, which prove nothing. */
export function meaningOf({ status, failure_reason }: LndPayment): Meaning | undefined {
  return status === 'FAILED' ? FINAL_LND_FAILURES.get(failure_reason) : undefined
}

/**
 * The meaning of a call that lnd refused before it recorded a payment. The words of lnd's error are not part of the
 * interface, so they prove nothing. The proof is that the call ended with lnd's own error, and that lnd then has no
 * record of the hash (404, code 5; lnd writes a record before the first HTLC leaves: `InitPayment`,
 * routing/control_tower.go). Tried: an expired invoice, our own invoice, a missing and a superfluous amount, an
 * unreadable invoice, a macaroon without the right.
 */
export const REFUSED: Meaning = {
  code: 'refused_by_node',
  reason: 'The Lightning node refused the payment and sent nothing.',
}
