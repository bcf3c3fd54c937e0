import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { PendingTip, Recipient } from '../engine/gifts/gifts.ts'

/** Tips for messages. However many a message gets, one card counts them. */
export interface MessageTips {
  /** Tips the person who wrote a message, as a tip does. */
  tip(command: MessageTipCommand): Promise<MessageTipsView>
  /** The same. Above the server's confirmation limit it moves nothing, and returns what its giver must confirm. */
  ask(command: MessageTipCommand): Promise<MessageTipsView | PendingTip>
  /**
   * The same by a reaction, for members who switched that on; undefined for others, and for emoji without an amount
   * here. An emoji gives once for each message and giver, no matter how often it is taken away, and what it gives
   * later.
   */
  react(command: ReactionCommand): Promise<MessageTipsView | undefined>
  /** The tips of a message so far. */
  view(message: string): Promise<MessageTipsView>
}

export interface MessageTipCommand {
  readonly from: string
  readonly fromName?: string
  /** When the giver's Discord account was made. */
  readonly accountSince?: Date
  /** The message's id; its channel is the origin's. */
  readonly message: string
  readonly author: Recipient
  /** As typed. */
  readonly amount: string
  readonly note?: string
  /** As a tip's. */
  readonly byEmoji?: true
  readonly origin: Origin & { readonly guild: string }
}

/** ⚡ gives its giver's amount; another emoji gives the server's, up to its giver's limit. */
export interface ReactionCommand extends Omit<MessageTipCommand, 'amount' | 'note' | 'byEmoji'> {
  /** Its key, from `emojiKey`. Default: ⚡. */
  readonly emoji?: string
}

/** The emoji whose amount each giver chooses. */
export const ZAP = '⚡'

export interface MessageTipsView {
  readonly message: string
  readonly channel: string
  readonly author: string
  readonly card: string
  /** The sum that has not gone back. */
  readonly total: Msats
  readonly tips: number
  /** Largest sums first. */
  readonly givers: readonly { readonly member: string; readonly amount: Msats }[]
  /** The newest first, for their words. */
  readonly notes: readonly { readonly member: string; readonly note: string }[]
  /** When the first of what waits for a newcomer goes back. */
  readonly claimableUntil: Date | undefined
}
