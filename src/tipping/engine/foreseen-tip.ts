import type { Msats } from '../../lib/money/amount.ts'

/** A tip as it would be written, found out by a dry run. It has no id and no card yet. */
export interface ForeseenTip {
  /** Rain is a tip to those who were active, and a reward a tip of one share by a moderator, out of the pool. */
  readonly kind: 'tip' | 'rain' | 'reward'
  readonly from: string
  /** The reason of a reward. */
  readonly note: string
  readonly total: Msats
  readonly shares: readonly ForeseenShare[]
  readonly fromPool: boolean
  readonly createdAt: Date
}

export interface ForeseenShare {
  readonly recipient: string
  readonly amount: Msats
  readonly state: 'credited' | 'sending' | 'parked' | 'asked'
  readonly until?: Date
}
