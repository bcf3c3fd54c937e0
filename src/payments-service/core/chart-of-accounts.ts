import type { AccountName, Chart } from '../../ledger/ledger.ts'

/** The `unit` of every response. */
export const UNIT = 'msats' as const

/** The service's chart of accounts. The database repeats it as a CHECK. */
export const CHART = {
  /** −N is what our node holds. */
  node: 'debit',
  wallet: 'credit',
  in_flight: 'credit',
  voucher_escrow: 'credit',
  fee_income: 'credit',
  suspense: 'credit',
  operator: 'either',
} as const satisfies Chart

/** The owner of a wallet: a project (found by its API key) or a user (found by a gamertag). */
export interface Holder {
  readonly kind: 'project' | 'user'
  readonly id: string
}

export const NODE: AccountName = { kind: 'node', owner: 'node' }
export const FEE_INCOME: AccountName = { kind: 'fee_income', owner: 'vouchers' }
export const SUSPENSE: AccountName = { kind: 'suspense', owner: 'suspense' }
/** The operator's float: what invoices brought less than their face, what fees took more than their limit. */
export const OPERATOR: AccountName = { kind: 'operator', owner: 'operator' }

/** A project's or user's spendable balance. */
export function wallet(holder: Holder): AccountName {
  return { kind: 'wallet', owner: `${holder.kind}:${holder.id}` }
}

/** A holder's money on its way out; each journal line has its operation. */
export function inFlight(holder: Holder): AccountName {
  return { kind: 'in_flight', owner: `${holder.kind}:${holder.id}` }
}

/** The money inside an open voucher, or inside a batch while it is made. */
export function voucherEscrow(voucherId: string): AccountName {
  return { kind: 'voucher_escrow', owner: voucherId }
}
