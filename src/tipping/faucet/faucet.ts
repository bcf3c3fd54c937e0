import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/** The source from which members get the operator's test sats. There is no faucet for real sats. */
export interface Faucet {
  /**
   * A member's daily amount; undefined if there is no faucet, because the operator has none, or the book's sats are not
   * known to be test sats.
   */
  readonly amount: Msats | undefined
  /**
   * Gives a member their daily share. Throws TippingRefusal `faucet-closed` if there is no faucet, `faucet-taken` if
   * the member has already had the day's share, `faucet-empty` if the day's limit has been given out, or `faucet-dry`
   * if the operator has too few sats left. Members whose Discord account is younger than a week share half of the daily
   * limit.
   */
  take(command: {
    readonly member: string
    /** When the member's Discord account was created. */
    readonly accountSince?: Date
    readonly origin: Origin
  }): Promise<FaucetShare>
}

export interface FaucetShare {
  readonly amount: Msats
  /** When the member can get the next share. */
  readonly until: Date
}
