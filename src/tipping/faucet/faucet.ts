import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/** Test sats for members who have none, out of the operator's own. There is no faucet of real sats. */
export interface Faucet {
  /**
   * A member's daily amount. Undefined if there is no faucet: the operator has none, or the book does not count sats
   * that are known to be test sats.
   */
  readonly amount: Msats | undefined
  /**
   * Gives a member their day's share. Throws TippingRefusal `faucet-closed` if there is none, `faucet-taken` if they
   * have had it, `faucet-empty` if the operator has given enough today, `faucet-dry` if they have none left. Members
   * whose Discord account is younger than a week share half of what there is in a day.
   */
  take(command: {
    readonly member: string
    /** When the member's Discord account was made. */
    readonly accountSince?: Date
    readonly origin: Origin
  }): Promise<FaucetShare>
}

export interface FaucetShare {
  readonly amount: Msats
  /** When there is more. */
  readonly until: Date
}
