import type { Msats } from '../../../lib/money/amount.ts'
import type { Origin } from '../cards/cards.ts'

export interface Recipient {
  readonly id: string
  readonly bot: boolean
  /** The role through which they were found. Default: the giver named them. */
  readonly role?: string | undefined
}

/** A moderator's request to pay a gift from a server's pool. */
export interface FromPool {
  readonly guild: string
  /** Ids of the moderator's roles there; each may have a budget. */
  readonly roles: readonly string[]
  /** As the moderator typed it. */
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
  /** Whether the recipients share the amount, instead of each getting all of it. */
  readonly split?: boolean
  readonly note?: string
  /** The sender's name, for recipients who read it in their wallet. */
  readonly fromName?: string
  /** When the sender's Discord account was created. New accounts can give less. */
  readonly accountSince?: Date
  /** Set if the server's pool pays instead of the balance. */
  readonly pool?: FromPool
  /**
   * The source that the giver confirmed. Default: the sender's connected wallet if it can pay all of it, else their
   * balance.
   */
  readonly source?: GiftSource
  /** The tip to which this one adds the same amount, and the card that counts it. */
  readonly joins?: { readonly tip: string; readonly card: string }
  /** Whether the channel does not see its giver's name. */
  readonly anonymous?: boolean
  /**
   * Whether a reaction made it, with an emoji to which the server gave an amount. For these, its giver sets a daily
   * limit.
   */
  readonly byEmoji?: true
  /** The ask that it fills, and the card that counts it. */
  readonly ask?: { readonly ask: string; readonly card: string }
  readonly origin: Origin
}

/** What pays a gift. */
export type GiftSource = 'wallet' | 'balance'

/** A gift that waits for a confirmation because it is large or a whole balance. */
export interface PendingTip {
  readonly asked: string
  readonly total: Msats
  readonly recipients: number
  /** The largest total that needs no confirmation. */
  readonly most: Msats
  /** The giver's remaining balance. */
  readonly left: Msats
  readonly source: GiftSource
  /** The recipients, if they are known. */
  readonly to: readonly string[]
}

/** Who confirms, and where. */
export interface Confirmation {
  readonly asked: string
  readonly member: string
  readonly origin: Origin
  /**
   * Whether somebody whom the giver did not name is still in the server and has the role through which they were found.
   * Default: not asked.
   */
  readonly isStillMeant?: (recipient: Recipient) => Promise<boolean>
}

/** A gift that may need its giver's confirmation, in its stored form. */
export interface Gift {
  readonly kind: string
  readonly command: { readonly origin: Origin; readonly accountSince?: Date }
}
