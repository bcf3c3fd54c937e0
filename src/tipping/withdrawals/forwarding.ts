import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/**
 * Tips that are sent on to a member's own Lightning Address. They are credited here first, like any others, and leave as
 * a withdrawal that nobody confirms: amount and fee limit are reserved, and only proof ends it. Of one member, one is on
 * its way at a time; what comes meanwhile goes with the next.
 */
export interface Forwarding {
  /**
   * Has a member's tips sent on from now on; ends a link to a Lightning account. Throws TippingRefusal
   * `destination-not-understood`, `address-here`, or `address-…` where it does not answer as a wallet's does.
   */
  start(command: {
    readonly member: string
    readonly address: string
    readonly origin: Origin
  }): Promise<ForwardingView>
  /**
   * Has as much of what a member is tipped stay here before anything goes on. `amount` as typed; `0`: all goes on. Throws
   * TippingRefusal `not-linked` where nothing is sent on. Resolves to the amount in msats.
   */
  keep(command: { readonly member: string; readonly amount: string; readonly origin: Origin }): Promise<Msats>
}

export interface ForwardingView {
  readonly address: string
  readonly keepHere: Msats
  /**
   * Tipped, and still to be sent on, as soon as it is worth a payment. Whatever else leaves the balance is taken from it first,
   * and is not due again if it comes back.
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
