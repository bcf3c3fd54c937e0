import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { Gift, Recipient } from '../engine/gifts/gifts.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'

/**
 * Vouchers are codes that anybody can redeem once. If an answer is lost, only replaying the request's key can find the
 * voucher, so vouchers are offered only if the provider replays keys.
 */
export interface Vouchers {
  /** Whether the provider replays keys. Read it each time, because the answer may become known later. */
  readonly offered: boolean
  /** Takes the amount and the fee from the member's balance, and has a code made. */
  create(command: VoucherCommand): Promise<VoucherView>
  /** Takes both from a server's pool, or reserves them until a second moderator decides. */
  createFromPool(command: VoucherCommand & { readonly pool: FromPool }): Promise<VoucherView | AwaitedReward>
  /**
   * Credits a code's amount to the member's balance. Refuses more tries after three wrong codes in ten minutes. Members
   * whose Discord account is younger than a week may try 150 codes in ten minutes together, which is half of the
   * provider's limit for everybody.
   */
  redeem(command: {
    readonly member: string
    readonly code: string
    readonly accountSince?: Date
    readonly origin: Origin
  }): Promise<RedemptionView>
  /** Takes back a member's own unredeemed voucher. Its amount returns as soon as the provider confirms it. */
  revoke(command: { readonly member: string; readonly voucher: string; readonly origin: Origin }): Promise<VoucherView>
  view(id: string): Promise<VoucherView>
  /**
   * Returns how the person who knows a voucher's code can claim it with any wallet. Throws TippingRefusal
   * `voucher-not-found` for everybody else, and `voucher-over` if no wallet can claim it, or no longer can.
   */
  toAnyWallet(command: { readonly member: string; readonly voucher: string }): Promise<VoucherForWallet>
  /**
   * Returns a voucher that this member made, read from the provider if it is live. Throws TippingRefusal
   * `voucher-not-found`.
   */
  status(command: { readonly member: string; readonly voucher: string }): Promise<VoucherView>
  /** Returns the newest vouchers that a member made, without drops' codes. */
  mine(member: string, most: number): Promise<VoucherView[]>
  redemption(id: string): Promise<RedemptionView>
}

export interface VoucherCommand {
  readonly member: string
  /** As typed. `all` leaves the fee in the balance. */
  readonly amount: string
  readonly description?: string
  /** The person who gets the code privately, instead of the member. */
  readonly recipient?: Recipient
  /** When the member's Discord account was created. New accounts can give less. */
  readonly accountSince?: Date
  /** Set if the server's pool pays instead of the balance. */
  readonly pool?: FromPool
  readonly origin: Origin
}

/** A voucher from a pool that waits for a second moderator. */
export interface VoucherGift extends Gift {
  readonly kind: 'voucher'
  readonly command: VoucherCommand
}

/**
 * - `creating`: the provider is being asked. `unknown`: it has not said whether there is a code; the bot checks.
 * - `failed`: there is no code, and everything is back in the balance or pool that paid.
 * - `live`: anybody with the code can redeem it. `revoking`: it is being taken back.
 * - `redeemed`, `revoked`: over.
 */
export type VoucherState = 'creating' | 'unknown' | 'failed' | 'live' | 'revoking' | 'redeemed' | 'revoked'

export interface VoucherView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly recipient: string | undefined
  readonly amount: Msats
  /** Its fee; while that is unknown, the highest possible fee. */
  readonly fee: Msats
  readonly description: string
  readonly state: VoucherState
  /** Anybody who knows the code can redeem it. Shown only while it is live. */
  readonly code: string | undefined
  /** An LNURL with which any wallet claims it, and its amount; undefined if the provider offers none. */
  readonly anyWallet: { readonly request: string; readonly amount: Msats } | undefined
  /** Whether a server's pool paid for it, and gets its sats back. */
  readonly fromPool: boolean
  /** Why there is no code, in the provider's words. */
  readonly reason: string | undefined
  readonly createdAt: Date
}

/** A voucher as an LNURL-withdraw code (LUD-03). */
export interface VoucherForWallet {
  /** The card that showed this member the voucher. */
  readonly card: string
  readonly amount: Msats
  /** The amount that the wallet receives: the voucher pays the network fee. */
  readonly arrives: Msats
  /** The first wallet that scans it gets the sats. */
  readonly request: string
}

/**
 * `checking`: the provider has not reported its outcome. `wrong`: there is no such code. `over`: somebody has redeemed
 * it, or it was taken back. `failed`: the provider refused it, or was not reached.
 */
export interface RedemptionView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly state: 'checking' | 'redeemed' | 'wrong' | 'over' | 'failed'
  readonly amount: Msats | undefined
}
