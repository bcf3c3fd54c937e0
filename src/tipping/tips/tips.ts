import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { Confirmation, PendingTip, TipCommand } from '../engine/gifts/gifts.ts'
import type { PromiseHindrance } from '../engine/own-wallets/promise-book.ts'
import type { WalletShareState } from '../engine/own-wallets/view-wallet-share.ts'
import type { WalletFailure } from '../engine/own-wallets/wallet-payments.ts'
import type { NotSentReason } from '../engine/payouts/payout-shown.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'

/** The longest note of a tip, in characters. */
export const MAX_NOTE = 200

/** Sats that one member gives to others. */
export interface Tips {
  /** Pays every recipient. One record, one card, one entry a recipient. */
  send(command: TipCommand): Promise<TipView>
  /** The same. Above the server's confirmation limit it moves nothing, and returns what its giver must confirm. */
  ask(command: TipCommand): Promise<TipView | PendingTip>
  confirm(command: Confirmation): Promise<TipView>
  /** Pays every recipient from a server's pool, or sets the sum aside until a second moderator decides. */
  sendFromPool(command: TipCommand & { readonly pool: FromPool }): Promise<TipView | AwaitedReward>
  /** Adds the same amount to a tip, from another member's balance; the tip's card counts it. */
  join(command: JoinTip): Promise<TipView | PendingTip>
  view(id: string): Promise<TipView>
  /** One recipient's share, for their private message. */
  receipt(share: string): Promise<ReceiptView>
}

export interface TipView {
  readonly id: string
  /** The interaction of the command that gave it, by which its buttons name it: known before it has an id. Else its id. */
  readonly key: string
  readonly card: string
  /** Undefined if it is anonymous: a view is for everybody. */
  readonly from: string | undefined
  readonly note: string
  readonly total: Msats
  readonly shares: readonly TipShare[]
  /** Paid by a server's pool. */
  readonly fromPool: boolean
  /** Undefined where others cannot add to it: rain, a pool's or a wallet's tip, one of no server, one that went back. */
  readonly join: JoinView | undefined
  readonly createdAt: Date
}

export interface JoinTip {
  /** Of the tip, as its view has it. */
  readonly key: string
  readonly from: string
  readonly fromName?: string
  readonly accountSince?: Date
  readonly origin: Origin
}

/** By how many a tip was joined. */
export interface JoinView {
  readonly people: number
  /** With the tip itself, without returned sats. */
  readonly total: Msats
}

export interface ReceiptView {
  readonly from: string
  readonly amount: Msats
  readonly note: string
  /** The channel does not see who gave it. Its recipient does. */
  readonly anonymous: boolean
  /** From a server's pool, by a moderator. */
  readonly reward: boolean
  readonly guild: string | undefined
  readonly channel: string
  /** The message that was tipped. */
  readonly message: string | undefined
}

/**
 * How one recipient's share stands.
 * - `credited`: in the recipient's balance here; final.
 * - `sending`: on its way from there to the recipient's gamertag.
 * - `unknown`: the provider has not said whether it arrived; being looked into, nothing to do.
 * - `paid`: in the recipient's gamertag wallet.
 * - `kept`: the payout was refused for certain, so it stayed in the recipient's balance here.
 * - `parked`, `claimed`, `returned`: waits for a newcomer; taken; gone back to the sender.
 * - and of a tip that goes from wallet to wallet, `WalletShareState`.
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
 * - `promised`: the giver's wallet is asked once the recipient has one.
 * - `revoked`: the giver took it back.
 * - `lapsed`: its time is over.
 */
export type PromisedShareState = 'promised' | 'revoked' | 'lapsed'

export interface TipShare {
  readonly recipient: string
  readonly amount: Msats
  readonly state: ShareState
  readonly payout?: string
  /** Why a payout stayed here. */
  readonly because?: NotSentReason
  /** The same in the provider's words, where it said something. */
  readonly reason?: string
  /** When an unclaimed share goes back, or a promise lapses. */
  readonly until?: Date
  /** Why the giver's wallet paid nothing. */
  readonly failure?: WalletFailure
  /** Why the giver's wallet was not asked yet for a promise. */
  readonly hindrance?: PromiseHindrance
}
