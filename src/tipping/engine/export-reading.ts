import type { Ledger } from '../../ledger/ledger.ts'
import type { Tx } from '../core/database.ts'

/** The reader of histories and exports: the book as everybody sees it, or as it is at one moment. */
export interface ExportReading {
  readonly database: { readonly read: Tx }
  readonly ledger: Pick<Ledger<Tx>, 'balance' | 'history'>
  /** The currency of the bookings' values. */
  readonly rates: { readonly currency: string }
  readonly clock: { now(): number }
}
