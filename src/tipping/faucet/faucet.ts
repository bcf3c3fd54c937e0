import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/** Gives the operator's test sats to members. Real sats have no faucet. */
export interface Faucet {
  /**
   * A member's daily amount. Undefined if there is no faucet: the operator has none, or the book's sats are not known
   * to be test sats.
   */
  readonly amount: Msats | undefined
  /**
   * Gives a member their daily share. Throws TippingRefusal `faucet-closed` if there is no faucet, `faucet-taken` if
   * they have had it, `faucet-empty` if the operator has given the day's limit, `faucet-dry` if the operator has none
   * left. Members whose Discord account is younger than a week share half of the daily limit.
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
  /** When they can get more. */
  readonly until: Date
}
