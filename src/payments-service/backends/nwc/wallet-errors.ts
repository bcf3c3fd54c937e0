import type { FailureCode } from '../backend.ts'

interface WalletRefusal {
  readonly code: FailureCode
  /** A sentence for the payer. */
  readonly reason: string
}

const NOT_ALLOWED = 'The connection to the wallet does not allow this payment. Nothing was sent.'

/**
 * The error codes of `pay_invoice` that NIP-47 ("Error codes") defines as a refusal of the request itself. They count
 * only together with a look-up that finds no payment, and only for this call. PAYMENT_FAILED is omitted: wallets use it
 * for a time-out and for an invoice that is already paid (observed with Alby's wallet service in front of a real node).
 * So are INTERNAL, OTHER, RATE_LIMITED and every unknown code.
 */
export const REFUSED_BY_WALLET: ReadonlyMap<string, WalletRefusal> = new Map<string, WalletRefusal>([
  // "The wallet does not have enough funds to cover a fee reserve or the payment amount."
  ['INSUFFICIENT_BALANCE', { code: 'no_liquidity', reason: 'The wallet has too little to send now.' }],
  // "The wallet has exceeded its spending quota."
  [
    'QUOTA_EXCEEDED',
    { code: 'no_liquidity', reason: "The wallet's budget for this connection is used up. Nothing was sent." },
  ],
  // "This public key is not allowed to do this operation."
  ['RESTRICTED', { code: 'refused_by_node', reason: NOT_ALLOWED }],
  // "This public key has no wallet connected."
  ['UNAUTHORIZED', { code: 'refused_by_node', reason: NOT_ALLOWED }],
  // "The command is not known or is intentionally not implemented."
  ['NOT_IMPLEMENTED', { code: 'refused_by_node', reason: NOT_ALLOWED }],
  // "The encryption type of the request is not supported by the wallet service."
  ['UNSUPPORTED_ENCRYPTION', { code: 'refused_by_node', reason: NOT_ALLOWED }],
])
