import type { Ledger } from '../../ledger/ledger.ts'
import type { Tx } from '../core/database.ts'

/** The parts through which histories and exports read the book, either as it is now or as it was at one moment. */
export interface ExportReading {
  readonly database: { readonly read: Tx }
  readonly ledger: Pick<Ledger<Tx>, 'balance' | 'history'>
  /** The currency in which bookings are valued. */
  readonly rates: { readonly currency: string }
  readonly clock: { now(): number }
}
