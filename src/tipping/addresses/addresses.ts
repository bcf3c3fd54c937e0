import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/** Members' own Lightning Addresses. A payment to an address is credited to its member's balance here. */
export interface Addresses {
  /** Whether addresses are offered, which requires a provider that can list an address's payments. */
  readonly offered: boolean
  /**
   * Returns a member's address. With a name (the part before the @), returns the member's address of that name, which
   * is created if the name is free. Without a name, returns the member's newest address, or a new one with the first
   * free name among `ideas`.
   */
  take(command: {
    readonly member: string
    readonly name?: string
    /** Suggested names, the best first. Impossible ones are ignored. */
    readonly ideas: readonly string[]
    readonly origin: Origin
  }): Promise<AddressView>
  /**
   * Returns the BOLT12 offer of the member's newest address, and creates an address if there is none. A payment to the
   * offer counts as a payment to that address. Resolves to undefined if the provider returns no usable offer.
   */
  offer(command: Omit<Parameters<Addresses['take']>[0], 'name'>): Promise<string | undefined>
  /** Returns a member's addresses, newest first. */
  mine(member: string): Promise<readonly string[]>
  /** Returns one payment to an address, as the address's member sees it. */
  arrival(payment: string): Promise<AddressArrival>
}

export interface AddressView {
  readonly id: string
  readonly member: string
  /** The address, in the form `name@host`. */
  readonly address: string
  /** The code that a wallet scans: LNURL-pay. */
  readonly request: string
  /** The smallest payment that the address accepts. */
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
   * The payer's own, unproven claim about who they are (LUD-18). `nostr` is the public key (64 hex digits) of the Nostr
   * account that sent a zap (NIP-57), as the provider reports it.
   */
  readonly payer: { readonly name?: string; readonly identifier?: string; readonly nostr?: string }
}
