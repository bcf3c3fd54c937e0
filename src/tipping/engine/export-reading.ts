import type { Ledger } from '../../ledger/ledger.ts'
import type { Tx } from '../core/database.ts'

/** What histories and exports are read with: the book as everybody sees it, or as it is at one moment. */
export interface ExportReading {
  readonly database: { readonly read: Tx }
  readonly ledger: Pick<Ledger<Tx>, 'balance' | 'history'>
  /** In which currency bookings are told. */
  readonly rates: { readonly currency: string }
  readonly clock: { now(): number }
}
