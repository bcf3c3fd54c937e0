import type { Msats } from '../../lib/money/amount.ts'

/** A tip as it would be written, found out by a dry run. It has no id and no card yet. */
export interface ForeseenTip {
  /** Rain is a tip to those who were active. */
  readonly kind: 'tip' | 'rain'
  readonly from: string
  readonly note: string
  readonly total: Msats
  readonly shares: readonly {
    readonly recipient: string
    readonly amount: Msats
    readonly state: 'credited' | 'sending' | 'parked' | 'asked'
    readonly until?: Date
  }[]
  readonly createdAt: Date
}
