import type { Origin } from '../engine/cards/cards.ts'
import type { GiftSource, PendingTip } from '../engine/gifts/gifts.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'
import type { TipView } from '../tips/tips.ts'

/** Sats for those who have been active in a server recently, or who are in a voice channel with the giver. */
export interface Rain {
  /**
   * Notes that somebody wrote a message, or used the bot. Kept to the minute, written now and then; the text is
   * unknown.
   */
  heard(guild: string, member: string, by?: 'message' | 'command'): void
  /** Pays a share to each of the chosen, as a tip does. */
  fall(command: RainCommand): Promise<TipView>
  /** The same. Above the server's confirmation limit it moves nothing, and returns what its giver must confirm. */
  ask(command: RainCommand): Promise<TipView | PendingTip>
  /** Pays the shares from the server's pool, or sets the sum aside for those who were chosen until a second moderator decides. */
  fallFromPool(command: RainCommand & { readonly pool: FromPool }): Promise<TipView | AwaitedReward>
}

export interface RainCommand {
  readonly from: string
  readonly fromName?: string
  /** When the giver's Discord account was made. */
  readonly accountSince?: Date
  readonly guild: string
  /** The whole, as typed; each share is rounded down to a sat. */
  readonly amount: string
  /** This many at random. Default: everybody who was active. */
  readonly people?: number
  /** Left out: no matter when, of those who are in the giver's voice channel. */
  readonly activeWithinMinutes?: number | undefined
  /** Only these, who are in the giver's voice channel now. */
  readonly inVoice?: readonly string[] | undefined
  /** Only these, for a role. */
  readonly among?: readonly string[]
  /** That role; people who lose it before a confirmation get nothing. */
  readonly role?: string | undefined
  /** Present facts about a person; undefined: they have left the server. Default: asks about nobody. */
  readonly person?: (id: string) => Promise<RainedOn | undefined>
  /** Paid by the server's pool or wallet, not by the giver. */
  readonly pool?: FromPool
  /** Left out: the giver's wallet pays where the balance has too little. It then falls only on those who have a wallet. */
  readonly source?: GiftSource | undefined
  readonly origin: Origin
}

/** Somebody who is in the server. */
export interface RainedOn {
  readonly bot?: boolean
  readonly accountSince: Date
  readonly memberSince: Date
  /** Ids of their roles there. */
  readonly roles?: readonly string[]
}
