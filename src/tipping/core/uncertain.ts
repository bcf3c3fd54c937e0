import type { Tx } from './database.ts'
import type { TippingSettings } from './settings.ts'

/** Sums in the provider's wallet that open operations leave uncertain, for the cover formula. In msats. */
export interface Uncertain {
  /** May have left the wallet, and is still on a `held` account. Part of X. */
  readonly mayHaveLeft?: bigint
  /** May have arrived in the wallet unseen. Part of Y. */
  readonly mayHaveArrived?: bigint
  /** How many operations have not ended. */
  readonly open?: number
}

/** Where the answer is read, the book's time, and the limits that bound what nobody has said yet. */
export interface UncertainParts {
  readonly database: { readonly read: Tx }
  readonly clock: { now(): number }
  readonly settings: Pick<TippingSettings, 'maxAmount'>
}
