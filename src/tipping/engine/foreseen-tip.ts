import type { Msats } from '../../lib/money/amount.ts'

/** A tip as the verb would write it, found by a dry run. It has no id and no card yet. */
export interface ForeseenTip {
  /**
   * The kind of tip: rain is a tip to active members, and a reward is a tip of one share that a moderator pays from the
   * pool.
   */
  readonly kind: 'tip' | 'rain' | 'reward'
  readonly from: string
  /** The giver's note, or the reason of a reward. */
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
