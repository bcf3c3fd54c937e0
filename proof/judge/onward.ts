import type { Faults } from './faults.ts'
import type { Keepers } from './keepers.ts'
import type { Links } from './links.ts'
import type { Moment, Span } from './moments.ts'
import type { Names } from './names.ts'
import type { Pauses } from './pauses.ts'
import type { Wire } from './wire.ts'

/**
 * Sats that a member received, and how people are finally shown that they were forwarded to the member's gamertag
 * wallet.
 */
export interface Onward {
  /** What it is, as people read it: for example, `the tip 123`. */
  readonly what: string
  readonly member: string
  readonly amount: bigint
  /** When the member received them: the span of the command; undefined if nobody can know. */
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
  /** Keys of payouts that operators decided to be paid, by the provider's books. */
  readonly decidedPaid: ReadonlySet<string>
  /** Payouts that operators decided to have failed, by key. */
  readonly decidedFailed: ReadonlyMap<string, DecidedPayout>
  /** The ends of the bot's lives. */
  readonly ends: readonly Moment[]
  readonly end: Moment
}
