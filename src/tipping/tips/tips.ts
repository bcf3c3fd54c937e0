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

/** Tips move sats from one member to others. */
export interface Tips {
  /** Pays every recipient. Makes one record and one card, and one entry for each recipient. */
  send(command: TipCommand): Promise<TipView>
  /**
   * Does the same as `send`. Above the server's confirmation limit it moves nothing, and returns what its giver must
   * confirm.
   */
  ask(command: TipCommand): Promise<TipView | PendingTip>
  confirm(command: Confirmation): Promise<TipView>
  /** Pays every recipient from a server's pool, or reserves the sum until a second moderator decides. */
  sendFromPool(command: TipCommand & { readonly pool: FromPool }): Promise<TipView | AwaitedReward>
  /** Adds the same amount to a tip from another member's balance. The tip's card counts it. */
  join(command: JoinTip): Promise<TipView | PendingTip>
  view(id: string): Promise<TipView>
  /** Returns one recipient's share, for their private message. */
  receipt(share: string): Promise<ReceiptView>
}

export interface TipView {
  readonly id: string
  /**
   * The interaction of the command that gave it, which its buttons name because it is known before the tip's id.
   * Otherwise the tip's id.
   */
  readonly key: string
  readonly card: string
  /** Undefined if it is anonymous, because everybody can see a view. */
  readonly from: string | undefined
  readonly note: string
  readonly total: Msats
  readonly shares: readonly TipShare[]
  /** Whether a server's pool paid. */
  readonly fromPool: boolean
  /**
   * Undefined if others cannot add to it: rain, a tip from a pool or a wallet, one outside servers, or one that went
   * back.
   */
  readonly join: JoinView | undefined
  readonly createdAt: Date
}

export interface JoinTip {
  /** The tip's key, as in its own view. */
  readonly key: string
  readonly from: string
  readonly fromName?: string
  readonly accountSince?: Date
  readonly origin: Origin
}

/** How many people joined a tip. */
export interface JoinView {
  readonly people: number
  /** Includes the tip itself, without returned sats. */
  readonly total: Msats
}

export interface ReceiptView {
  readonly from: string
  readonly amount: Msats
  readonly note: string
  /** Whether the giver is hidden from the channel; the recipient sees them. */
  readonly anonymous: boolean
  /** Whether a moderator gave it from a server's pool. */
  readonly reward: boolean
  readonly guild: string | undefined
  readonly channel: string
  /** The tipped message. */
  readonly message: string | undefined
}

/**
 * The state of one recipient's share.
 * - `credited`: in the recipient's balance here. Final.
 * - `sending`: on its way from there to the recipient's gamertag.
 * - `unknown`: the provider has not reported whether it arrived. The bot checks; nobody needs to act.
 * - `paid`: in the recipient's gamertag wallet.
 * - `kept`: the payout certainly failed, so the share stayed in the recipient's balance here.
 * - `parked`, `claimed`, `returned`: it waits for a newcomer, was claimed, or went back to the sender.
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
 * - `promised`: the giver's wallet is asked as soon as the recipient has a wallet.
 * - `revoked`: the giver took it back.
 * - `lapsed`: it has expired.
 */
export type PromisedShareState = 'promised' | 'revoked' | 'lapsed'

export interface TipShare {
  readonly recipient: string
  readonly amount: Msats
  readonly state: ShareState
  readonly payout?: string
  /** Why a payout stayed here. */
  readonly because?: NotSentReason
  /** The same in the provider's words, if it gave any. */
  readonly reason?: string
  /** When an unclaimed share goes back, or a promise lapses. */
  readonly until?: Date
  /** Why the giver's wallet paid nothing. */
  readonly failure?: WalletFailure
  /** Why the giver's wallet has not been asked to fulfil a promise. */
  readonly hindrance?: PromiseHindrance
}
