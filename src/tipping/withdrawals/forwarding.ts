import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/**
 * The forwarding of tips to members' own Lightning Addresses. Tips are credited here first, like any others, and leave
 * as a withdrawal that nobody confirms: amount and fee limit are reserved, and only proof ends the withdrawal. A
 * member's payments leave one at a time, and later sums are sent with the next payment.
 */
export interface Forwarding {
  /**
   * Forwards a member's tips from now on, and ends a link to a Lightning account. Throws TippingRefusal
   * `destination-not-understood`, `address-here`, or `address-…` if the address does not answer as a wallet's does.
   */
  start(command: {
    readonly member: string
    readonly address: string
    readonly origin: Origin
  }): Promise<ForwardingView>
  /**
   * Sets how much stays in a member's balance before tips are forwarded. `amount` is the typed amount; `0` forwards
   * all. Throws TippingRefusal `not-linked` if nothing is forwarded. Resolves to the amount in msats.
   */
  keep(command: { readonly member: string; readonly amount: string; readonly origin: Origin }): Promise<Msats>
}

export interface ForwardingView {
  readonly address: string
  readonly keepHere: Msats
  /**
   * The tips that are forwarded as soon as their sum is worth a payment. Other payments from the balance reduce this
   * sum first, and do not restore it if they are returned.
   */
  readonly due: Msats
  /** The sum paid to this address so far. */
  readonly sent: Msats
  /** The smallest sum that is forwarded. */
  readonly smallest: Msats
  /** The fee limit in percent of the amount, if that is more than `leastFee`. */
  readonly feePercent: number
  readonly leastFee: Msats
  /** When to try again, if the last attempt failed without anything leaving. */
  readonly again: Date | undefined
}
