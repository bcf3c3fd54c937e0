import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { Gift, Recipient } from '../engine/gifts/gifts.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'

/**
 * Codes that anybody may redeem once. The provider can find a voucher with a lost answer only by replaying the
 * request's key, so vouchers are offered only if keys are replayed.
 */
export interface Vouchers {
  /** Whether the provider replays keys. Asked each time, since it may become known only later. */
  readonly offered: boolean
  /** Takes the amount and the fee from the member's balance and has a code made. */
  create(command: VoucherCommand): Promise<VoucherView>
  /** Takes both from a server's pool, or sets them aside until a second moderator decides. */
  createFromPool(command: VoucherCommand & { readonly pool: FromPool }): Promise<VoucherView | AwaitedReward>
  /**
   * Credits a code's amount to the member's balance. After three wrong codes in ten minutes, no more are tried. Members
   * whose Discord account is younger than a week try 150 codes in ten minutes together: half of what a provider lets
   * all try.
   */
  redeem(command: {
    readonly member: string
    readonly code: string
    readonly accountSince?: Date
    readonly origin: Origin
  }): Promise<RedemptionView>
  /** Takes back one's own voucher that nobody has redeemed. Its amount returns as soon as the provider says so. */
  revoke(command: { readonly member: string; readonly voucher: string; readonly origin: Origin }): Promise<VoucherView>
  view(id: string): Promise<VoucherView>
  /**
   * How the one who knows a voucher's code takes it to any wallet instead. Throws TippingRefusal: `voucher-not-found` for
   * everybody else, `voucher-over` where no wallet can claim it, or not any more.
   */
  toAnyWallet(command: { readonly member: string; readonly voucher: string }): Promise<VoucherForWallet>
  /** A voucher that this member made, read at the provider if it is live. Throws TippingRefusal `voucher-not-found`. */
  status(command: { readonly member: string; readonly voucher: string }): Promise<VoucherView>
  /** The newest vouchers that a member made, drops' codes left out. */
  mine(member: string, most: number): Promise<VoucherView[]>
  redemption(id: string): Promise<RedemptionView>
}

export interface VoucherCommand {
  readonly member: string
  /** As typed. `all` leaves the fee in the balance. */
  readonly amount: string
  readonly description?: string
  /** The person who gets the code, privately, instead of the member. */
  readonly recipient?: Recipient
  /** When the member's Discord account was made; young ones may give less. */
  readonly accountSince?: Date
  /** Paid by a server's pool, not from the balance. */
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
 * - `failed`: there is none, and everything is back in the balance.
 * - `live`: anybody with the code may redeem it. `revoking`: it is being taken back.
 * - `redeemed`, `revoked`: over.
 */
export type VoucherState = 'creating' | 'unknown' | 'failed' | 'live' | 'revoking' | 'redeemed' | 'revoked'

export interface VoucherView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly recipient: string | undefined
  readonly amount: Msats
  /** Its fee; the highest possible one while it is unknown. */
  readonly fee: Msats
  readonly description: string
  readonly state: VoucherState
  /** Anybody who knows it can redeem it. Only while it is live. */
  readonly code: string | undefined
  /** An LNURL by which any wallet claims it, and its amount; undefined if the provider has none. */
  readonly anyWallet: { readonly request: string; readonly amount: Msats } | undefined
  /** Why there is none, in the provider's words. */
  readonly reason: string | undefined
  readonly createdAt: Date
}

/** A voucher as an LNURL-withdraw code (LUD-03). */
export interface VoucherForWallet {
  /** The card that told this member of the voucher. */
  readonly card: string
  readonly amount: Msats
  /** The amount that the wallet receives: the voucher pays the network fee. */
  readonly arrives: Msats
  /** The first wallet that scans it has the sats. */
  readonly request: string
}

/**
 * `checking`: the provider has not said what became of it. `wrong`: there is no such code. `over`: somebody has
 * redeemed it, or it was taken back. `failed`: the provider said no, or was not there.
 */
export interface RedemptionView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly state: 'checking' | 'redeemed' | 'wrong' | 'over' | 'failed'
  readonly amount: Msats | undefined
}
