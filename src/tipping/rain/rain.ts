import type { Origin } from '../engine/cards/cards.ts'
import type { GiftSource, PendingTip } from '../engine/gifts/gifts.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'
import type { TipView } from '../tips/tips.ts'

/** Rain gives sats to people who were recently active in a server, or who are in a voice channel with the giver. */
export interface Rain {
  /**
   * Notes that somebody wrote a message, or used the bot. Stores the time to the minute, at intervals, and never the
   * text.
   */
  heard(guild: string, member: string, by?: 'message' | 'command'): void
  /** Pays a share to each chosen person, as a tip does. */
  fall(command: RainCommand): Promise<TipView>
  /**
   * Does the same as `fall`. Above the server's confirmation limit it moves nothing, and returns what its giver must
   * confirm.
   */
  ask(command: RainCommand): Promise<TipView | PendingTip>
  /**
   * Pays the shares from the server's pool, or reserves the sum for the chosen people until a second moderator decides.
   */
  fallFromPool(command: RainCommand & { readonly pool: FromPool }): Promise<TipView | AwaitedReward>
}

export interface RainCommand {
  readonly from: string
  readonly fromName?: string
  /** When the giver's Discord account was created. */
  readonly accountSince?: Date
  readonly guild: string
  /** The whole amount, as typed. Each share is rounded down to a sat. */
  readonly amount: string
  /** How many people are chosen at random. Default: everybody who was active. */
  readonly people?: number
  /** Default: any time, for people in the giver's voice channel. */
  readonly activeWithinMinutes?: number | undefined
  /** If set, only these people get a share; they are now in the giver's voice channel. */
  readonly inVoice?: readonly string[] | undefined
  /** If set, only these people get a share; they have a certain role. */
  readonly among?: readonly string[]
  /** The role of the people in `among`. People who lose it before a confirmation get nothing. */
  readonly role?: string | undefined
  /** Returns present facts about a person; undefined if they have left the server. Default: asks about nobody. */
  readonly person?: (id: string) => Promise<RainedOn | undefined>
  /** Set if the server's pool or wallet pays instead of the giver. */
  readonly pool?: FromPool
  /** Default: the giver's wallet pays if the balance is too small. The rain then falls only on people with a wallet. */
  readonly source?: GiftSource | undefined
  readonly origin: Origin
}

/** A person who is in the server. */
export interface RainedOn {
  readonly bot?: boolean
  readonly accountSince: Date
  readonly memberSince: Date
  /** The ids of their roles there. */
  readonly roles?: readonly string[]
}
