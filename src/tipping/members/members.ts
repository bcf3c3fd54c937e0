import type { Origin } from '../engine/cards/cards.ts'

/** The Lightning accounts that members' tips go to. */
export interface Members {
  /** Binds a member to the Lightning account that owns a gamertag now. From then on the gamertag may change. */
  link(command: LinkCommand): Promise<ProvenLink>
  unlink(command: MemberCommand): Promise<Unlinked>
  /**
   * A link to the wallet page of the member's own account at the provider, which the first call opens. It works once
   * and for minutes; anybody who has it can spend that wallet. Throws TippingRefusal `wallet-not-offered`,
   * `provider-unreachable` or `provider-refused`.
   */
  openWallet(command: WalletCommand): Promise<WalletLink>
  /** That account and its name. Refuses as `openWallet` does. */
  ownWallet(command: WalletCommand): Promise<Link>
  /** Binds a member to that account. It is the member's for certain, so nothing is to be proven. */
  linkWallet(command: WalletCommand): Promise<Link>
  /** An operator ends the link to a Lightning account, no matter who has it; the member is told. Throws TippingRefusal. */
  release(command: ReleaseCommand): Promise<Link>
  /** The account of a link that ended without its member. Throws TippingRefusal `not-there`. */
  endedLink(id: string): Promise<EndedLink>
  /** Whether a member has a Lightning account linked, to which an invoice could pay. */
  isLinked(member: string): Promise<boolean>
}

export interface Link {
  readonly lightningId: string
  /** The present one; it may change at any time. */
  readonly gamertag: string
}

export interface EndedLink {
  /** As last seen. */
  readonly gamertag: string
}

export interface ReleaseCommand {
  readonly operator: string
  readonly gamertag: string
  /** Stays on record. */
  readonly reason: string
}

export interface WalletCommand extends MemberCommand {
  /** Name of a new account; it may get a name like this one. */
  readonly name: string
}

/** The way into a member's own wallet. `url` is a secret: it is shown to the member, and is neither stored nor logged. */
export interface WalletLink {
  readonly url: string
  readonly until: Date
  readonly gamertag: string
  /** Whether the account was opened just now. */
  readonly isNew: boolean
  /** Whether the member's tips go there. */
  readonly isLinked: boolean
}

export interface ProvenLink extends Link {
  /** Whether the provider confirmed the account as the member's; other providers cannot. */
  readonly proven: boolean
}

/** The ended link: a Lightning account, or the Lightning Address that tips were sent on to. */
export type Unlinked = Link | { readonly address: string }

/** A member's request for something of their own, without further facts. */
export interface MemberCommand {
  readonly member: string
  readonly origin: Origin
}

export interface LinkCommand extends MemberCommand {
  readonly gamertag: string
  /** The code on the wallet page, as proof that the gamertag is the member's. Not needed for their own `/wallet`. */
  readonly code?: string | undefined
}
