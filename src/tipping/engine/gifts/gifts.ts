import type { Msats } from '../../../lib/money/amount.ts'
import type { Origin } from '../cards/cards.ts'

export interface Recipient {
  readonly id: string
  readonly bot: boolean
  /** The role by which they were found. Default: their giver named them. */
  readonly role?: string | undefined
}

/** A moderator's statement of a gift from a server's pool. */
export interface FromPool {
  readonly guild: string
  /** Ids of the moderator's roles there; each may have a budget. */
  readonly roles: readonly string[]
  /** As typed. */
  readonly reason: string
}

/** A gift that waits for a second moderator. Its sum is set aside. */
export interface AwaitedReward {
  readonly reward: string
  readonly card: string
}

export interface TipCommand {
  readonly from: string
  readonly to: readonly Recipient[]
  /** As typed: `500`, `2.5k`, `all`, … */
  readonly amount: string
  /** Each gets a share of the amount instead of the amount. */
  readonly split?: boolean
  readonly note?: string
  /** The sender's name, for recipients who read it in their wallet. */
  readonly fromName?: string
  /** When the sender's Discord account was made; young ones may give less. */
  readonly accountSince?: Date
  /** Paid by a server's pool, not from the balance. */
  readonly pool?: FromPool
  /**
   * The source at the confirmation. Default: the sender's connected wallet if it can pay all of it, else their balance.
   */
  readonly source?: GiftSource
  /** A tip that it adds the same amount to, and the card that counts it. */
  readonly joins?: { readonly tip: string; readonly card: string }
  /** Told in the channel without its giver's name. */
  readonly anonymous?: boolean
  /** By a reaction with an emoji to which the server gave an amount; its giver sets a daily limit. */
  readonly byEmoji?: true
  /** An ask that it fills, and the card that counts it. */
  readonly ask?: { readonly ask: string; readonly card: string }
  readonly origin: Origin
}

/** The source of a gift. */
export type GiftSource = 'wallet' | 'balance'

/** A large tip, or one of a whole balance, that waits for a confirmation. */
export interface PendingTip {
  readonly asked: string
  readonly total: Msats
  readonly recipients: number
  /** The largest total that needs no confirmation. */
  readonly most: Msats
  /** The giver's remaining balance. */
  readonly left: Msats
  readonly source: GiftSource
  /** The recipients, where they are known. */
  readonly to: readonly string[]
}

/** The person and the place of a confirmation. */
export interface Confirmation {
  readonly asked: string
  readonly member: string
  readonly origin: Origin
  /**
   * Whether somebody whom the giver did not name is still in the server, with the role by which they were found.
   * Default: does not ask.
   */
  readonly isStillMeant?: (recipient: Recipient) => Promise<boolean>
}

/** A gift that may need its giver's confirmation, in its stored form. */
export interface Gift {
  readonly kind: string
  readonly command: { readonly origin: Origin; readonly accountSince?: Date }
}
