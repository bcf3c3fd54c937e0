import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { PendingTip, Recipient } from '../engine/gifts/gifts.ts'

/** Tips for messages. However many a message gets, one card counts them. */
export interface MessageTips {
  /** Tips a message's author, as a tip does. */
  tip(command: MessageTipCommand): Promise<MessageTipsView>
  /** Does the same. Above the server's confirmation limit it moves nothing, and returns what its giver must confirm. */
  ask(command: MessageTipCommand): Promise<MessageTipsView | PendingTip>
  /**
   * Does the same for a reaction, if the member has switched that on; undefined for others, and for emoji without an
   * amount here. An emoji gives once for each message and giver, even if it is removed and added again, or its amount
   * changes.
   */
  react(command: ReactionCommand): Promise<MessageTipsView | undefined>
  /** Returns a message's tips so far. */
  view(message: string): Promise<MessageTipsView>
}

export interface MessageTipCommand {
  readonly from: string
  readonly fromName?: string
  /** When the giver's Discord account was created. */
  readonly accountSince?: Date
  /** The message's id. Its channel is the origin's. */
  readonly message: string
  readonly author: Recipient
  /** As typed. */
  readonly amount: string
  readonly note?: string
  /** As for a tip. */
  readonly byEmoji?: true
  readonly origin: Origin & { readonly guild: string }
}

/** ⚡ gives its giver's amount. Another emoji gives the server's, up to its giver's limit. */
export interface ReactionCommand extends Omit<MessageTipCommand, 'amount' | 'note' | 'byEmoji'> {
  /** The key from `emojiKey`. Default: ⚡. */
  readonly emoji?: string
}

/** The emoji whose amount each giver chooses. */
export const ZAP = '⚡'

export interface MessageTipsView {
  readonly message: string
  readonly channel: string
  readonly author: string
  readonly card: string
  /** The sum, without what has gone back. */
  readonly total: Msats
  readonly tips: number
  /** Largest sums first. */
  readonly givers: readonly { readonly member: string; readonly amount: Msats }[]
  /** Newest first, with their texts. */
  readonly notes: readonly { readonly member: string; readonly note: string }[]
  /** When the first share that waits for a newcomer goes back. */
  readonly claimableUntil: Date | undefined
}
