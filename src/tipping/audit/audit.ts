import type { Msats } from '../../lib/money/amount.ts'
import type { Pause } from '../engine/outgoing/outgoing-payments-switch.ts'

/** The result of comparing the books with the wallet (the cover formula). All amounts are in msats. */
export interface Audit {
  readonly holds: boolean
  readonly faults: readonly string[]
  /** The bot's liabilities: the balances of members, pools and pots, held sums, and suspense. */
  readonly owed: Msats
  /** E: what the provider must hold according to the bot's book. */
  readonly expected: Msats
  /** X: the sum that may have left without being recorded. Y: the sum that may have arrived without being recorded. */
  readonly mayHaveLeft: Msats
  readonly mayHaveArrived: Msats
  /** The wallet's balance; undefined if the provider did not answer. */
  readonly wallet: Msats | undefined
  readonly operator: bigint
  /** The sum of received sats whose owner is unclear. */
  readonly suspense: Msats
  readonly openOperations: number
  /** All pauses of outgoing payments, the most serious first. */
  readonly paused: readonly Pause[]
  readonly at: Date
}
