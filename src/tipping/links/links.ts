import type { Origin } from '../engine/cards/cards.ts'

/** The Lightning accounts to which members' tips go. */
export interface Links {
  /**
   * Links a member to the Lightning account that now owns a gamertag. The link remains if the gamertag changes later.
   */
  link(command: LinkCommand): Promise<ProvenLink>
  unlink(command: MemberCommand): Promise<Unlinked>
  /**
   * Returns a link to the wallet page of the member's own account at the provider. The first call opens the account.
   * The link works once, and only for minutes. Anybody who has it can spend the sats in that wallet. Throws
   * TippingRefusal `wallet-not-offered`, `provider-unreachable` or `provider-refused`.
   */
  openWallet(command: WalletCommand): Promise<WalletLink>
  /**
   * Returns the member's own account at the provider, with its gamertag. Opens the account if there is none. Throws as
   * `openWallet` does.
   */
  ownAccount(command: WalletCommand): Promise<Link>
  /**
   * Links a member to their own account at the provider. The account is certainly the member's, so nothing has to be
   * proven.
   */
  linkOwnAccount(command: WalletCommand): Promise<Link>
  /**
   * Ends the link to a Lightning account at an operator's request, no matter which member has it, and tells the member.
   * Throws TippingRefusal.
   */
  release(command: ReleaseCommand): Promise<Link>
  /** Returns the gamertag of a link that somebody else ended. Throws TippingRefusal `not-there`. */
  endedLink(id: string): Promise<EndedLink>
  /** Whether a member has linked a Lightning account, to which an invoice could pay. */
  isLinked(member: string): Promise<boolean>
}

export interface Link {
  readonly lightningId: string
  /** The present gamertag, which may change at any time. */
  readonly gamertag: string
}

export interface EndedLink {
  /** The last known gamertag. */
  readonly gamertag: string
}

export interface ReleaseCommand {
  readonly operator: string
  readonly gamertag: string
  /** The operator's reason, which stays on record. */
  readonly reason: string
}

export interface WalletCommand extends MemberCommand {
  /** The suggested name of a new account, whose final name may be a similar one. */
  readonly name: string
}

/** A link to a member's own wallet. `url` is a secret: it is shown to the member, and neither stored nor logged. */
export interface WalletLink {
  readonly url: string
  readonly until: Date
  readonly gamertag: string
  /** Whether the account was just opened. */
  readonly isNew: boolean
  /** Whether the member's tips go to that wallet. */
  readonly isLinked: boolean
}

export interface ProvenLink extends Link {
  /** Whether the provider confirmed the account as the member's, which not every provider can do. */
  readonly proven: boolean
}

/** The ended link: a Lightning account, or the Lightning Address to which tips were forwarded. */
export type Unlinked = Link | { readonly address: string }

/** A member's request that needs no further facts. */
export interface MemberCommand {
  readonly member: string
  readonly origin: Origin
}

export interface LinkCommand extends MemberCommand {
  readonly gamertag: string
  /**
   * The code on the wallet page, which proves that the gamertag is the member's. The account that `/wallet` opens needs
   * no code.
   */
  readonly code?: string | undefined
}
