import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { Gift } from '../engine/gifts/gifts.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'
import type { VoucherState, VoucherView } from './vouchers.ts'

/** The most codes in a batch. */
export const MAX_BATCH = 1_000
/** The longest time until a batch expires, in days. */
export const MAX_BATCH_DAYS = 365

/** Batches of codes of the same value that are paid for together. Each code is a voucher that ends separately. */
export interface VoucherBatches {
  /**
   * Takes the amounts and fees of all codes from the member's balance in one debit, and has the codes made, a few at
   * once. If the bot dies meanwhile, the rest are made after its next start.
   */
  create(command: BatchCommand): Promise<VoucherBatchView>
  /** Creates a batch from a server's pool, or reserves its cost until a second moderator decides. */
  createFromPool(command: BatchCommand & { readonly pool: FromPool }): Promise<VoucherBatchView | AwaitedReward>
  /** Returns a batch. Throws TippingRefusal `not-there`. */
  view(id: string): Promise<VoucherBatchView>
  /** Returns a member's own batch. Throws TippingRefusal `voucher-not-found`. */
  own(command: { readonly member: string; readonly batch: string }): Promise<VoucherBatchView>
  /** Returns a member's newest batches. */
  mine(member: string, most: number): Promise<VoucherBatchView[]>
  /** Returns all codes of a member's own batch, by number. Throws TippingRefusal `voucher-not-found`. */
  codes(command: { readonly member: string; readonly batch: string }): Promise<BatchCode[]>
  /** Takes back every unredeemed code of a member's own batch. Throws TippingRefusal `voucher-not-found`. */
  end(command: { readonly member: string; readonly batch: string }): Promise<VoucherBatchView>
}

export interface BatchCommand {
  readonly member: string
  /** The value of each code, as typed. */
  readonly amount: string
  /** The number of codes, up to `MAX_BATCH`. */
  readonly count: number
  readonly description?: string
  /** The number of days after which unredeemed codes are taken back; undefined for codes that do not expire. */
  readonly days?: number
  /** When the member's Discord account was created. New accounts can give less. */
  readonly accountSince?: Date
  /** The details of a payment from the server's pool; undefined if the member's balance pays. */
  readonly pool?: FromPool
  readonly origin: Origin
}

/** A batch to be paid for from a pool, while it waits for a second moderator. */
export interface BatchGift extends Gift {
  readonly kind: 'vouchers'
  readonly command: BatchCommand
}

export interface VoucherBatchView {
  readonly id: string
  readonly card: string
  readonly member: string
  /** The amount of each code. */
  readonly amount: Msats
  readonly count: number
  /**
   * The fees of all codes that have not failed; fees are never returned. A code whose fee is still unknown counts with
   * the highest possible fee.
   */
  readonly fee: Msats
  readonly description: string
  /** Why the pool pays; undefined if a balance pays. */
  readonly reason: string | undefined
  /** The batch's state. `closed`: the batch has expired or was ended, so unredeemed codes are taken back. */
  readonly state: 'open' | 'closed'
  readonly expiresAt: Date | undefined
  /** The number of codes in each state. */
  readonly codes: Readonly<Record<VoucherState, number>>
  readonly createdAt: Date
}

/** One code of a batch. */
export interface BatchCode extends Pick<VoucherView, 'id' | 'amount' | 'state' | 'code' | 'anyWallet'> {
  /** The code's number in the batch, from 1. */
  readonly number: number
}
