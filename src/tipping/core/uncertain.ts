import type { Tx } from './database.ts'
import type { TippingSettings } from './settings.ts'

/** Sums in the provider's wallet that open operations leave uncertain, for the cover formula, in msats. */
export interface Uncertain {
  /** The sum that may have left the wallet, but is still on a `held` account. This sum is part of X. */
  readonly mayHaveLeft?: bigint
  /** The sum that may have arrived in the wallet unseen. This sum is part of Y. */
  readonly mayHaveArrived?: bigint
  /** The number of open operations. */
  readonly open?: number
}

/** What is needed to find the uncertain sums: the database, the clock, and the limit of amounts not reported yet. */
export interface UncertainParts {
  readonly database: { readonly read: Tx }
  readonly clock: { now(): number }
  readonly settings: Pick<TippingSettings, 'maxAmount'>
}
