import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { Gift } from '../engine/gifts/gifts.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'
import type { VoucherState, VoucherView } from './vouchers.ts'

/** The most codes of a batch. */
export const MAX_BATCH = 1_000
/** The longest time until a batch expires, in days. */
export const MAX_BATCH_DAYS = 365

/** Many codes of the same worth, paid for at once. Each is a voucher, and ends on its own. */
export interface VoucherBatches {
  /**
   * Takes the amounts and the fees of all codes from the member's balance in one debit, and has the codes made one by one. A bot that
   * dies in the middle makes the rest after its next start.
   */
  create(command: BatchCommand): Promise<VoucherBatchView>
  /** Takes them from a server's pool, or sets them aside until a second moderator decides. */
  createFromPool(command: BatchCommand & { readonly pool: FromPool }): Promise<VoucherBatchView | AwaitedReward>
  /** Throws TippingRefusal `not-there`. */
  view(id: string): Promise<VoucherBatchView>
  /** The newest batches of a member. */
  mine(member: string, most: number): Promise<VoucherBatchView[]>
  /** All codes of a batch of the member's own, by number. Throws TippingRefusal `voucher-not-found`. */
  codes(command: { readonly member: string; readonly batch: string }): Promise<BatchCode[]>
  /** Takes back every code of a member's own batch that nobody has redeemed. Throws TippingRefusal `voucher-not-found`. */
  end(command: { readonly member: string; readonly batch: string }): Promise<VoucherBatchView>
}

export interface BatchCommand {
  readonly member: string
  /** Each code's worth, as typed. */
  readonly amount: string
  /** How many codes, up to `MAX_BATCH`. */
  readonly count: number
  readonly description?: string
  /** After so many days, what nobody has redeemed goes back. Without it, the codes do not expire. */
  readonly days?: number
  /** When the member's Discord account was made; young ones may give less. */
  readonly accountSince?: Date
  /** Paid by a server's pool, not from the balance. */
  readonly pool?: FromPool
  readonly origin: Origin
}

/** A batch from a pool that waits for a second moderator. */
export interface BatchGift extends Gift {
  readonly kind: 'vouchers'
  readonly command: BatchCommand
}

export interface VoucherBatchView {
  readonly id: string
  readonly card: string
  readonly member: string
  /** Of each code. */
  readonly amount: Msats
  readonly count: number
  readonly description: string
  /** Why the pool pays for it; undefined if a balance does. */
  readonly reason: string | undefined
  /** `closed`: expired or ended, so unredeemed codes are taken back. */
  readonly state: 'open' | 'closed'
  readonly expiresAt: Date | undefined
  /** How many codes stand how. */
  readonly codes: Readonly<Record<VoucherState, number>>
  readonly createdAt: Date
}

/** One code of a batch. */
export interface BatchCode extends Pick<VoucherView, 'id' | 'amount' | 'state' | 'code' | 'anyWallet'> {
  /** From 1. */
  readonly number: number
}
