import type { Msats } from '../../lib/money/amount.ts'

/** The data stored about a member: a copy of it, and its deletion. */
export interface Privacy {
  /** Returns everything about a member as data for a JSON file, without secrets that are worth sats. */
  export(member: string): Promise<Readonly<Record<string, unknown>>>
  /** Returns a member's open records, which they should know before they delete their data. */
  open(member: string): Promise<OpenSats>
  /**
   * Deletes a member's links, settings and texts, and when they were last active. The books remain, under their Discord
   * id, and so do their sats. Until they use the bot again they count as new, and leaderboards leave them out. A second
   * call changes nothing.
   */
  forget(member: string): Promise<void>
}

export interface OpenSats {
  readonly available: Msats
  /** The sum reserved for payments, and for tips that wait for newcomers. */
  readonly held: Msats
  /** The sum in pots of their own drops and giveaways. */
  readonly inPots: Msats
  /** The value of their unredeemed vouchers. */
  readonly inVouchers: Msats
  /** Their Lightning Addresses, which continue to fill their balance. */
  readonly addresses: readonly string[]
}
