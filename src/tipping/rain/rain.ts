import type { Origin } from '../engine/cards/cards.ts'
import type { GiftSource, PendingTip } from '../engine/gifts/gifts.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'
import type { TipView } from '../tips/tips.ts'

/**
 * Rain, which gives sats to people who were recently active in a server, or who are in a voice channel with the giver.
 */
export interface Rain {
  /**
   * Notes that somebody wrote a message, or used the bot. Stores the time to the minute, at intervals, and never the
   * text.
   */
  heard(guild: string, member: string, by?: 'message' | 'command'): void
  /** Pays a share to each chosen person, in one tip. */
  fall(command: RainCommand): Promise<TipView>
  /**
   * Does the same as `fall`, but above the server's confirmation limit moves nothing, and returns what the giver must
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
  /** The time when the giver's Discord account was created. */
  readonly accountSince?: Date
  readonly guild: string
  /** The whole amount, as typed. Each share is rounded down to a sat. */
  readonly amount: string
  /** The number of people who are chosen at random; by default, all eligible people get a share. */
  readonly people?: number
  /**
   * The minutes within which people must have been active. If not set, people in the giver's voice channel need no
   * activity.
   */
  readonly activeWithinMinutes?: number | undefined
  /** The people who are now in the giver's voice channel. If set, nobody else gets a share. */
  readonly inVoice?: readonly string[] | undefined
  /** The people who have a certain role. If set, nobody else gets a share. */
  readonly among?: readonly string[]
  /** The role of the people in `among`. People who lose that role before a confirmation get nothing. */
  readonly role?: string | undefined
  /**
   * Returns present facts about a person; undefined if the person has left the server. By default, nobody is looked up.
   */
  readonly person?: (id: string) => Promise<RainedOn | undefined>
  /** The source of the sats, if the server's pool or wallet pays instead of the giver. */
  readonly pool?: FromPool
  /**
   * Whether the giver's balance or wallet pays; by default, the wallet if the balance is too small. Rain from a wallet
   * falls only on people with a wallet.
   */
  readonly source?: GiftSource | undefined
  readonly origin: Origin
}

/** A person who is in the server. */
export interface RainedOn {
  readonly bot?: boolean
  readonly accountSince: Date
  readonly memberSince: Date
  /** The ids of the person's roles in the server. */
  readonly roles?: readonly string[]
}
