import type { AccountName, Chart } from '../../ledger/ledger.ts'

/** The `unit` in every response. */
export const UNIT = 'msats' as const

/** The service's chart of accounts. The database repeats it as a CHECK. */
export const CHART = {
  /** The account of our node, which holds N if the balance is −N. */
  node: 'debit',
  wallet: 'credit',
  in_flight: 'credit',
  voucher_escrow: 'credit',
  fee_income: 'credit',
  suspense: 'credit',
  operator: 'either',
} as const satisfies Chart

/** A wallet's owner: a project (found by its API key) or a user (found by a gamertag). */
export interface Holder {
  readonly kind: 'project' | 'user'
  readonly id: string
}

export const NODE: AccountName = { kind: 'node', owner: 'node' }
export const FEE_INCOME: AccountName = { kind: 'fee_income', owner: 'vouchers' }
export const SUSPENSE: AccountName = { kind: 'suspense', owner: 'suspense' }
/**
 * The account of the operator's float, which bears what invoices bring below their face value, and fees beyond their
 * limit.
 */
export const OPERATOR: AccountName = { kind: 'operator', owner: 'operator' }

/** Returns the account of a project's or user's spendable balance. */
export function wallet(holder: Holder): AccountName {
  return { kind: 'wallet', owner: `${holder.kind}:${holder.id}` }
}

/**
 * Returns the account for a holder's money that is leaving. The operations in the journal show to which payment each
 * sum belongs.
 */
export function inFlight(holder: Holder): AccountName {
  return { kind: 'in_flight', owner: `${holder.kind}:${holder.id}` }
}

/** Returns the account of the money in an open voucher, or in a batch while the batch is being created. */
export function voucherEscrow(voucherId: string): AccountName {
  return { kind: 'voucher_escrow', owner: voucherId }
}
