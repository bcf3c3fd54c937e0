import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/** Members' own Lightning Addresses. A payment to an address fills its member's balance here. */
export interface Addresses {
  /** Whether the provider can list an address's payments. Otherwise addresses are not offered. */
  readonly offered: boolean
  /**
   * Returns a member's address. With a name (the part before the @), returns the address of that name, which is created
   * if the name is free. Without one, returns the member's newest address, or a new one with the first free name among
   * `ideas`.
   */
  take(command: {
    readonly member: string
    readonly name?: string
    /** Suggested names, the best first. Impossible ones are ignored. */
    readonly ideas: readonly string[]
    readonly origin: Origin
  }): Promise<AddressView>
  /**
   * Returns the BOLT12 offer of the newest of these addresses, which is created if necessary. A payment to the offer
   * counts as one to that address. Undefined if the provider offers none.
   */
  offer(command: Omit<Parameters<Addresses['take']>[0], 'name'>): Promise<string | undefined>
  /** Returns a member's addresses, newest first. */
  mine(member: string): Promise<readonly string[]>
  /** Returns one payment to an address, for its member. */
  arrival(payment: string): Promise<AddressArrival>
}

export interface AddressView {
  readonly id: string
  readonly member: string
  /** `name@host` */
  readonly address: string
  /** The code that a wallet scans: LNURL-pay. */
  readonly request: string
  /** The smallest payment. */
  readonly least: Msats
  readonly most: Msats
  /** The member's other addresses, which also work. */
  readonly others: readonly string[]
}

export interface AddressArrival {
  readonly member: string
  readonly address: string
  readonly amount: Msats
  /** The payer's comment; empty if there is none. Anybody may have written it. */
  readonly comment: string
  /**
   * The payer's own claim about who they are (LUD-18), which is unproven. `nostr` is the key of the Nostr account that
   * zapped (NIP-57), 64 hex digits, as the provider reports it.
   */
  readonly payer: { readonly name?: string; readonly identifier?: string; readonly nostr?: string }
}
