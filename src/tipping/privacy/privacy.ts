import type { Msats } from '../../lib/money/amount.ts'

/** The data stored about a member: a copy of it, and its deletion. */
export interface Privacy {
  /** Everything that the bot has of a member, as data for a JSON file. Secrets that are worth sats are left out. */
  export(member: string): Promise<Readonly<Record<string, unknown>>>
  /** A member's open records: they should know before they have themselves forgotten. */
  open(member: string): Promise<OpenSats>
  /**
   * Deletes a member's links, settings and texts, and when they were last active. The books stay, by their Discord id, and
   * so do their sats. Until they use the bot again they count as new, and leaderboards leave them out. Doing it twice does
   * nothing twice.
   */
  forget(member: string): Promise<void>
}

export interface OpenSats {
  readonly available: Msats
  /** Reserved for payments, and for tips that wait for newcomers. */
  readonly held: Msats
  /** In pots of their own drops and giveaways. */
  readonly inPots: Msats
  /** Value of their vouchers that nobody has redeemed. */
  readonly inVouchers: Msats
  /** Their Lightning Addresses, which go on filling their balance. */
  readonly addresses: readonly string[]
}
