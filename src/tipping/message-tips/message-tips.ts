import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { PendingTip, Recipient } from '../engine/gifts/gifts.ts'

/** Tips for messages. A single card counts all tips for a message. */
export interface MessageTips {
  /** Tips a message's author. */
  tip(command: MessageTipCommand): Promise<MessageTipsView>
  /**
   * Does the same as `tip`, but above the server's confirmation limit moves nothing, and returns what the giver must
   * confirm.
   */
  ask(command: MessageTipCommand): Promise<MessageTipsView | PendingTip>
  /**
   * Does the same as `tip` for a reaction, if the member has switched such tips on; undefined for other members, and
   * for emoji without an amount here. An emoji gives only once for each message and giver, even if it is removed and
   * added again, or its amount changes.
   */
  react(command: ReactionCommand): Promise<MessageTipsView | undefined>
  /** Returns a message's tips so far. */
  view(message: string): Promise<MessageTipsView>
}

export interface MessageTipCommand {
  readonly from: string
  readonly fromName?: string
  /** The time when the giver's Discord account was created. */
  readonly accountSince?: Date
  /** The id of the message, which is in the origin's channel. */
  readonly message: string
  readonly author: Recipient
  /** The amount as typed. */
  readonly amount: string
  readonly note?: string
  /** Set for an emoji with the server's amount, as in `TipCommand`. */
  readonly byEmoji?: true
  readonly origin: Origin & { readonly guild: string }
}

/**
 * A reaction that tips a message. ⚡ gives the amount that its giver chose. Another emoji gives the server's amount, up
 * to the giver's limit.
 */
export interface ReactionCommand extends Omit<MessageTipCommand, 'amount' | 'note' | 'byEmoji'> {
  /** The emoji's key from `emojiKey`; ⚡ by default. */
  readonly emoji?: string
}

/** The emoji whose amount each giver chooses. */
export const ZAP = '⚡'

export interface MessageTipsView {
  readonly message: string
  readonly channel: string
  readonly author: string
  readonly card: string
  /** The sum of the tips, without what has gone back. */
  readonly total: Msats
  readonly tips: number
  /** The givers with their sums, largest first. */
  readonly givers: readonly { readonly member: string; readonly amount: Msats }[]
  /** The latest notes, newest first. */
  readonly notes: readonly { readonly member: string; readonly note: string }[]
  /** The time when the first share that waits for a newcomer goes back. */
  readonly claimableUntil: Date | undefined
}
