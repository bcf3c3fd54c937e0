import type { Ledger } from '../../ledger/ledger.ts'
import type { Tx } from '../core/database.ts'

/** The reader that histories and exports use: it sees the book as it is now, or as it was at one moment. */
export interface ExportReading {
  readonly database: { readonly read: Tx }
  readonly ledger: Pick<Ledger<Tx>, 'balance' | 'history'>
  /** The currency in which bookings are valued. */
  readonly rates: { readonly currency: string }
  readonly clock: { now(): number }
}
