import type { Msats } from '../../lib/money/amount.ts'

/** The export and the deletion of the data stored about a member. */
export interface Privacy {
  /** Returns everything about a member as data for a JSON file, without secrets that are worth sats. */
  export(member: string): Promise<Readonly<Record<string, unknown>>>
  /** Returns the sums and the addresses about which a member should know before deleting their data. */
  open(member: string): Promise<OpenSats>
  /**
   * Deletes a member's links, settings and texts, and the times of their last activity. The books remain, under the
   * member's Discord id, and so do the member's sats. Until the member uses the bot again, the member counts as new,
   * and is not listed on leaderboards. A second call changes nothing.
   */
  forget(member: string): Promise<void>
}

export interface OpenSats {
  readonly available: Msats
  /** The sum reserved for payments, and for tips that wait for newcomers. */
  readonly held: Msats
  /** The sum in the pots of the member's own drops and giveaways. */
  readonly inPots: Msats
  /** The value of the member's unredeemed vouchers. */
  readonly inVouchers: Msats
  /** The member's Lightning Addresses, which continue to fill the member's balance. */
  readonly addresses: readonly string[]
}
