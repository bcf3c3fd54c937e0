import type { Msats } from '../../../lib/money/amount.ts'
import type { Origin } from '../cards/cards.ts'

export interface Recipient {
  readonly id: string
  readonly bot: boolean
  /** The role through which the recipient was found. Default: the giver named the recipient. */
  readonly role?: string | undefined
}

/** A moderator's request to pay a gift from a server's pool. */
export interface FromPool {
  readonly guild: string
  /** The ids of the moderator's roles in that server; each may have a budget. */
  readonly roles: readonly string[]
  /** The reason as the moderator typed it. */
  readonly reason: string
}

/** A gift that waits for a second moderator. If the pool pays it, its sum is set aside. */
export interface AwaitedReward {
  readonly reward: string
  readonly card: string
}

export interface TipCommand {
  readonly from: string
  readonly to: readonly Recipient[]
  /** The amount as typed: `500`, `2.5k`, `all`, … */
  readonly amount: string
  /** Whether the recipients share the amount, instead of each getting all of it. */
  readonly split?: boolean
  readonly note?: string
  /** The sender's name, for recipients who read it in their wallet. */
  readonly fromName?: string
  /** When the sender's Discord account was created. New accounts can give less. */
  readonly accountSince?: Date
  /** The request to pay from a server's pool; undefined if the giver pays. */
  readonly pool?: FromPool
  /**
   * The source that the giver confirmed. Default: the sender's connected wallet if that can pay the whole tip, else the
   * sender's balance.
   */
  readonly source?: GiftSource
  /** The tip that this one joins with the same amount, and the card that counts this one. */
  readonly joins?: { readonly tip: string; readonly card: string }
  /** Whether the giver's name is hidden from the channel. */
  readonly anonymous?: boolean
  /**
   * Whether the tip was made by a reaction with an emoji to which the server gave an amount. The giver sets a daily
   * limit for such tips.
   */
  readonly byEmoji?: true
  /** The ask that this tip fills, and the card that counts the tip. */
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
  /** The balance that the giver would have after the gift. */
  readonly left: Msats
  readonly source: GiftSource
  /** The recipients; empty if they are not known yet. */
  readonly to: readonly string[]
}

/** The confirmed gift, the member who confirms it, and where. */
export interface Confirmation {
  readonly asked: string
  readonly member: string
  readonly origin: Origin
  /**
   * Checks whether a recipient whom the giver did not name is still in the server and has the role through which they
   * were found. Default: nothing is checked.
   */
  readonly isStillMeant?: (recipient: Recipient) => Promise<boolean>
}

/** A gift that may need its giver's confirmation, in its stored form. */
export interface Gift {
  readonly kind: string
  readonly command: { readonly origin: Origin; readonly accountSince?: Date }
}
