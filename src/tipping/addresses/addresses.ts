import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/** Members' own Lightning Addresses. Payments to one fill its member's balance here. */
export interface Addresses {
  /** Whether the provider can list the payments to one; without that there are none. */
  readonly offered: boolean
  /**
   * A member's address. With a name (the part before the @): the address of that name, made if it is free. Without: the
   * newest that they have, or a new one of the first free name among `ideas`.
   */
  take(command: {
    readonly member: string
    readonly name?: string
    /** Suggested names, the best first; impossible ones are left out. */
    readonly ideas: readonly string[]
    readonly origin: Origin
  }): Promise<AddressView>
  /**
   * The BOLT12 offer of the newest of these addresses, made if need be: who pays it pays that address. Undefined where the
   * provider gives none.
   */
  offer(command: Omit<Parameters<Addresses['take']>[0], 'name'>): Promise<string | undefined>
  /** Every address of a member, the newest first. */
  mine(member: string): Promise<readonly string[]>
  /** One payment to an address, for its member. */
  arrival(payment: string): Promise<AddressArrival>
}

export interface AddressView {
  readonly id: string
  readonly member: string
  /** `name@host` */
  readonly address: string
  /** The code that a wallet scans: LNURL-pay. */
  readonly request: string
  /** Least amount of a payment. */
  readonly least: Msats
  readonly most: Msats
  /** The member's other addresses, which work as well. */
  readonly others: readonly string[]
}

export interface AddressArrival {
  readonly member: string
  readonly address: string
  readonly amount: Msats
  /** The payer's comment; empty for none. Anybody may have written it. */
  readonly comment: string
  /**
   * The payer's own claim of who they are (LUD-18): nothing of that is proven. `nostr` is the key of the Nostr account
   * that zapped (NIP-57), 64 hex digits, as the provider says.
   */
  readonly payer: { readonly name?: string; readonly identifier?: string; readonly nostr?: string }
}
