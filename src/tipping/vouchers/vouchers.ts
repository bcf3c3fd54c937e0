import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { Gift, Recipient } from '../engine/gifts/gifts.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'

/**
 * Codes that anybody can redeem once. A voucher whose creation got no answer can be found only by replaying the
 * request's key, so vouchers are offered only if the provider replays keys.
 */
export interface Vouchers {
  /** Whether the provider replays keys. Read this each time, because it may become known later. */
  readonly offered: boolean
  /** Takes the amount and the fee from the member's balance, and has a code made. */
  create(command: VoucherCommand): Promise<VoucherView>
  /** Creates a voucher from a server's pool, or reserves its cost until a second moderator decides. */
  createFromPool(command: VoucherCommand & { readonly pool: FromPool }): Promise<VoucherView | AwaitedReward>
  /**
   * Credits a code's amount to the member's balance. Refuses more tries after three wrong codes in ten minutes. All
   * members whose Discord accounts are younger than a week share 150 tries, of which one becomes available again every
   * four seconds.
   */
  redeem(command: {
    readonly member: string
    readonly code: string
    readonly accountSince?: Date
    readonly origin: Origin
  }): Promise<RedemptionView>
  /**
   * Takes back a member's own unredeemed voucher. Its amount returns as soon as the provider confirms the revocation.
   */
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
  /** Returns the newest vouchers that a member made, without the codes of drops and batches. */
  mine(member: string, most: number): Promise<VoucherView[]>
  redemption(id: string): Promise<RedemptionView>
}

export interface VoucherCommand {
  readonly member: string
  /** The amount as typed. `all` leaves the fee in the balance. */
  readonly amount: string
  readonly description?: string
  /** The person who gets the code privately, instead of the member. */
  readonly recipient?: Recipient
  /** When the member's Discord account was created. New accounts can give less. */
  readonly accountSince?: Date
  /** The details of a payment from the server's pool; undefined if the member's balance pays. */
  readonly pool?: FromPool
  readonly origin: Origin
}

/** A voucher to be paid for from a pool, while it waits for a second moderator. */
export interface VoucherGift extends Gift {
  readonly kind: 'voucher'
  readonly command: VoucherCommand
}

/**
 * - `creating`: the provider is being asked. `unknown`: whether there is a code is not known; the bot checks.
 * - `failed`: there is no code, and everything is back in the balance or pool that paid.
 * - `live`: anybody with the code can redeem it. `revoking`: the voucher is being taken back.
 * - `redeemed`, `revoked`: the voucher has ended.
 */
export type VoucherState = 'creating' | 'unknown' | 'failed' | 'live' | 'revoking' | 'redeemed' | 'revoked'

export interface VoucherView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly recipient: string | undefined
  readonly amount: Msats
  /** The voucher's fee; while it is unknown, the highest possible fee. */
  readonly fee: Msats
  readonly description: string
  readonly state: VoucherState
  /** The code, with which anybody can redeem the voucher; undefined unless the voucher is live. */
  readonly code: string | undefined
  /**
   * An LNURL with which any wallet can claim the voucher, and the amount that arrives; undefined if there is none, or
   * none any longer.
   */
  readonly anyWallet: { readonly request: string; readonly amount: Msats } | undefined
  /** Whether a server's pool paid for the voucher, and gets the sats back if the voucher is taken back. */
  readonly fromPool: boolean
  /** Why there is no code, in the words of the provider or of the operators. */
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
  /** The LNURL. The first wallet that scans it gets the sats. */
  readonly request: string
}

/**
 * The outcome of redeeming a code. `checking`: the provider has not reported the outcome. `wrong`: there is no such
 * code. `over`: somebody has redeemed the code, it was taken back, or it has expired. `failed`: the provider refused
 * the request, or was not reached.
 */
export interface RedemptionView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly state: 'checking' | 'redeemed' | 'wrong' | 'over' | 'failed'
  readonly amount: Msats | undefined
}
