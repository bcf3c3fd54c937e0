import type { Faults } from './faults.ts'
import type { Keepers } from './keepers.ts'
import type { Links } from './links.ts'
import type { Moment, Span } from './moments.ts'
import type { Names } from './names.ts'
import type { Pauses } from './pauses.ts'
import type { Wire } from './wire.ts'

/**
 * Sats that a member received, with the state of their payout to the member's gamertag wallet as finally shown to
 * people.
 */
export interface Onward {
  /** The source of the sats in people's words: for example, `the tip 123`. */
  readonly what: string
  readonly member: string
  readonly amount: bigint
  /** The span of the command by which the member received the sats; undefined if nobody can know it. */
  readonly span: Span | undefined
  readonly state: string
  readonly because: string | undefined
  readonly transactionId: string | undefined
}

/** A payout that operators must decide, as they see it. */
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
  /** Keys of payouts that operators, guided by the provider's books, declared paid. */
  readonly decidedPaid: ReadonlySet<string>
  /** Payouts that operators declared failed, by key. */
  readonly decidedFailed: ReadonlyMap<string, DecidedPayout>
  /** The moments at which the bot died. */
  readonly ends: readonly Moment[]
  readonly end: Moment
}
