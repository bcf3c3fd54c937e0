import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/**
 * Tips that are sent on to a member's own Lightning Address. They are credited here first, like any others, and leave
 * as a withdrawal that nobody confirms: amount and fee limit are reserved, and only proof ends it. A member's payments
 * leave one at a time; later sums go with the next.
 */
export interface Forwarding {
  /**
   * Forwards a member's tips from now on; ends a link to a Lightning account. Throws TippingRefusal
   * `destination-not-understood`, `address-here`, or `address-…` where it does not answer as a wallet's does.
   */
  start(command: {
    readonly member: string
    readonly address: string
    readonly origin: Origin
  }): Promise<ForwardingView>
  /**
   * Keeps this much of a member's tips here before forwarding. `amount` as typed; `0`: forwards all. Throws
   * TippingRefusal `not-linked` where nothing is sent on. Resolves to the amount in msats.
   */
  keep(command: { readonly member: string; readonly amount: string; readonly origin: Origin }): Promise<Msats>
}

export interface ForwardingView {
  readonly address: string
  readonly keepHere: Msats
  /**
   * Tipped, and still to be sent on, as soon as it is worth a payment. Other payments from the balance are taken from
   * it first, and are not due again if they come back.
   */
  readonly due: Msats
  /** Paid to this address so far. */
  readonly sent: Msats
  /** Nothing is sent on below this. */
  readonly smallest: Msats
  /** Fee limit of sending it, in percent of the amount, where that is more than `leastFee`. */
  readonly feePercent: number
  readonly leastFee: Msats
  /** The last attempt failed, and nothing left. It is tried again then. */
  readonly again: Date | undefined
}
