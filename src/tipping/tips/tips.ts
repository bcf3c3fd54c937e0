import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { Confirmation, PendingTip, TipCommand } from '../engine/gifts/gifts.ts'
import type { PromiseHindrance } from '../engine/own-wallets/promise-book.ts'
import type { WalletShareState } from '../engine/own-wallets/view-wallet-share.ts'
import type { WalletFailure } from '../engine/own-wallets/wallet-payments.ts'
import type { NotSentReason } from '../engine/payouts/payout-shown.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'

/** The most characters in a tip's note. */
export const MAX_NOTE = 200

/** Tips, which move sats from one member to others. */
export interface Tips {
  /** Pays every recipient. Creates one record and one card, and one entry for each recipient. */
  send(command: TipCommand): Promise<TipView>
  /**
   * Does the same as `send`, but above the server's confirmation limit moves nothing, and returns what the giver must
   * confirm.
   */
  ask(command: TipCommand): Promise<TipView | PendingTip>
  confirm(command: Confirmation): Promise<TipView>
  /** Pays every recipient from a server's pool, or reserves the sum until a second moderator decides. */
  sendFromPool(command: TipCommand & { readonly pool: FromPool }): Promise<TipView | AwaitedReward>
  /**
   * Gives a tip's recipients the same amount again, from another member's balance. The tip's card counts the addition.
   */
  join(command: JoinTip): Promise<TipView | PendingTip>
  view(id: string): Promise<TipView>
  /** Returns one recipient's share, for the recipient's private message. */
  receipt(share: string): Promise<ReceiptView>
}

export interface TipView {
  readonly id: string
  /**
   * The interaction of the command that gave the tip, or otherwise the tip's id. The tip's buttons contain the
   * interaction, because the tip's id is not known in advance.
   */
  readonly key: string
  readonly card: string
  /** The giver; undefined if the tip is anonymous, because everybody can see a view. */
  readonly from: string | undefined
  readonly note: string
  readonly total: Msats
  readonly shares: readonly TipShare[]
  /** Whether a server's pool paid the tip. */
  readonly fromPool: boolean
  /**
   * What others have added; undefined if nobody can add to the tip: rain, a tip from a pool or a wallet, a tip outside
   * servers, or a tip that went back.
   */
  readonly join: JoinView | undefined
  readonly createdAt: Date
}

export interface JoinTip {
  /** The tip's key, as in its `TipView`. */
  readonly key: string
  readonly from: string
  readonly fromName?: string
  readonly accountSince?: Date
  readonly origin: Origin
}

/** The number of people who joined a tip, and the resulting total. */
export interface JoinView {
  readonly people: number
  /** The total with the tip itself, without returned sats. */
  readonly total: Msats
}

export interface ReceiptView {
  readonly from: string
  readonly amount: Msats
  readonly note: string
  /** Whether the giver is hidden from the channel. The recipient sees who the giver is. */
  readonly anonymous: boolean
  /** Whether a moderator gave the tip from a server's pool. */
  readonly reward: boolean
  readonly guild: string | undefined
  readonly channel: string
  /** The tipped message. */
  readonly message: string | undefined
}

/**
 * The state of one recipient's share.
 * - `credited`: in the recipient's balance here, permanently.
 * - `sending`: on its way from that balance to the recipient's gamertag.
 * - `unknown`: the provider has not reported whether the share arrived. The bot checks again, so nobody needs to act.
 * - `paid`: in the recipient's gamertag wallet.
 * - `kept`: the payout certainly failed, so the share stayed in the recipient's balance here.
 * - `parked`, `claimed`, `returned`: the share waits for a newcomer, was claimed, or went back to the sender.
 * - `WalletShareState` if the tip goes from wallet to wallet.
 */
export type ShareState =
  | 'credited'
  | 'sending'
  | 'unknown'
  | 'paid'
  | 'kept'
  | 'parked'
  | 'claimed'
  | 'returned'
  | WalletShareState
  | PromisedShareState

/**
 * The state of a promised share.
 * - `promised`: the giver's wallet is asked to pay as soon as the recipient has a wallet.
 * - `revoked`: the giver revoked the promise.
 * - `lapsed`: the promise has expired.
 */
export type PromisedShareState = 'promised' | 'revoked' | 'lapsed'

export interface TipShare {
  readonly recipient: string
  readonly amount: Msats
  readonly state: ShareState
  readonly payout?: string
  /** The reason why a payout was not sent. */
  readonly because?: NotSentReason
  /** The same reason in the provider's words, if the provider stated any. */
  readonly reason?: string
  /** The time when an unclaimed share goes back, or a promise lapses. */
  readonly until?: Date
  /** The reason why the giver's wallet paid nothing. */
  readonly failure?: WalletFailure
  /** The reason why the giver's wallet has not been asked to fulfil a promise. */
  readonly hindrance?: PromiseHindrance
}
