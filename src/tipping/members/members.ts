import type { Origin } from '../machines/cards/cards.ts'

/** Which Lightning account a member's tips go to. */
export interface Members {
  /** Binds a member to the Lightning account that owns a gamertag now. From then on the gamertag may change. */
  link(command: LinkCommand): Promise<Link>
  unlink(command: MemberCommand): Promise<Unlinked>
  /** Whether a member has a Lightning account linked, to which an invoice could pay. */
  isLinked(member: string): Promise<boolean>
}

export interface Link {
  readonly lightningId: string
  /** As it is now; it may change at any time. */
  readonly gamertag: string
}

/** What a member unlinked: a Lightning account, or the Lightning Address that their tips were sent on to. */
export type Unlinked = Link | { readonly address: string }

/** A member asks for something of their own, with nothing to say besides. */
export interface MemberCommand {
  readonly member: string
  readonly origin: Origin
}

export interface LinkCommand extends MemberCommand {
  readonly gamertag: string
}
