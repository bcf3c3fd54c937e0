import type { Msats } from '../../../lib/money/amount.ts'
import type { Origin } from '../cards/cards.ts'

export interface Recipient {
  readonly id: string
  readonly bot: boolean
  /** The role by which they were found; left out: their giver named them. */
  readonly role?: string | undefined
}

/** Said by a moderator whose gift is paid from a server's pool, and not from their balance. */
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
  /** Paid by a server's pool, and not from the balance. */
  readonly pool?: FromPool
  /**
   * The source at the confirmation; left out: the sender's connected wallet where that can pay all of it, else their
   * balance.
   */
  readonly source?: GiftSource
  /** A tip that it adds the same amount to, and the card that counts it. */
  readonly joins?: { readonly tip: string; readonly card: string }
  /** Told in the channel without its giver's name. */
  readonly anonymous?: boolean
  /** By a reaction with an emoji to which the server gave its amount; its giver limits what those give in a day. */
  readonly byEmoji?: true
  /** An ask that it fills, and the card that counts it. */
  readonly ask?: { readonly ask: string; readonly card: string }
  readonly origin: Origin
}

/** The source of a gift. */
export type GiftSource = 'wallet' | 'balance'

/** A large tip, or one of all that its giver has, that waits for a confirmation. */
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
   * Whether somebody whom the giver has not named is still in the server, with the role by which they were found; left
   * out: nobody is asked about.
   */
  readonly isStillMeant?: (recipient: Recipient) => Promise<boolean>
}

/** A gift that its giver may be asked about first, as it is stored until they answer. */
export interface Gift {
  readonly kind: string
  readonly command: { readonly origin: Origin; readonly accountSince?: Date }
}
