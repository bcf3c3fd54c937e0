import type { Faults } from './faults.ts'
import type { Keepers } from './keepers.ts'
import type { Links } from './links.ts'
import type { Moment, Span } from './moments.ts'
import type { Names } from './names.ts'
import type { Pauses } from './pauses.ts'
import type { Wire } from './wire.ts'

/** Sats that became a member's, and how people are shown, at the end, that they went on to their gamertag wallet. */
export interface Onward {
  /** Its kind, for people. */
  readonly what: string
  readonly member: string
  readonly amount: bigint
  /** When they became the member's: the span of the command that made them so; undefined where nobody can know. */
  readonly span: Span | undefined
  readonly state: string
  readonly because: string | undefined
  readonly transactionId: string | undefined
}

/** An operator's view of a payout to decide. */
export interface DecidedPayout {
  readonly member: string
  readonly amount: bigint
}

/** Evidence for judging payouts. */
export interface PayoutEvidence {
  readonly wire: Wire
  readonly links: Links
  readonly keepers: Keepers
  readonly names: Names
  readonly pauses: Pauses
  readonly faults: Faults
  /** Keys of payouts of which operators said, by the provider's books, that they arrived. */
  readonly decidedPaid: ReadonlySet<string>
  /** Those, by their keys, of which they said that they did not. */
  readonly decidedFailed: ReadonlyMap<string, DecidedPayout>
  /** When lives of the bot ended. */
  readonly ends: readonly Moment[]
  readonly end: Moment
}
