import type { Msats } from '../../lib/money/amount.ts'
import type { TippingRefusal } from '../core/tipping-refusal.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { FromPool, Gift } from '../engine/gifts/gifts.ts'
import type { ShareState } from '../tips/tips.ts'
import type { ReturnedBecause } from '../withdrawals/withdrawals.ts'

/** The most lines in a list. */
export const MAX_LIST_LINES = 1_000
/** The largest file of a list, in bytes. */
export const MAX_LIST_BYTES = 256 * 1_024

export interface ListCommand {
  readonly guild: string
  readonly member: string
  /** The file, with receiver, sats and reason on each line. */
  readonly file: Uint8Array
  /** Returns the member named in a cell; undefined if there is none. The caller decides how people are named. */
  readonly memberIn: (cell: string) => string | undefined
  /** The reason for the whole list, and for each line without a reason of its own. */
  readonly reason: string
  readonly origin: Origin
}

/** Returns present facts about a person; undefined if the person is not in the server. */
export type PersonInServer = (
  member: string,
) => Promise<{ readonly bot: boolean; readonly roles: readonly string[] } | undefined>

export interface ListConfirmation {
  readonly asked: string
  readonly member: string
  /** The ids of the moderator's roles at this moment. */
  readonly roles: readonly string[]
  /**
   * Returns present facts about a person who is in the server, because a split pays only such people. By default, finds
   * nobody.
   */
  readonly person?: PersonInServer
  readonly origin: Origin
}

/** The reason why a line is wrong. */
export type ListFault =
  | 'not-a-member'
  | 'address'
  /** The address fills a balance here, so the line must name its member instead. */
  | 'address-here'
  | 'twice'
  | 'self'
  | 'amount'
  | 'amount-negative'
  | 'amount-fraction'
  | 'amount-range'
  | 'reason-too-long'

export interface WrongLine {
  /** The line in the file, counted from 1. */
  readonly line: number
  /** The receiver and the amount, as written in the file. */
  readonly who: string
  readonly amount: string
  readonly reason: string
  readonly fault: ListFault
}

export interface ListPreview {
  /** The id with which the list is confirmed; undefined if every line is wrong. */
  readonly asked: string | undefined
  readonly people: number
  readonly total: Msats
  /** The fee limit of payments to Lightning Addresses, in addition to the total. */
  readonly feeLimit: Msats
  readonly wrong: readonly WrongLine[]
  /** The number of lines that the file reports as already paid. */
  readonly paidBefore: number
}

export interface ListOutcome {
  readonly line: number
  /** The member, or the recipient key of a Lightning Address. */
  readonly recipient: string
  /** The Lightning Address; empty if the address is no longer known, undefined for a member. */
  readonly address: string | undefined
  readonly amount: Msats
  /** The fee of the payment to an address, if the fee is known. */
  readonly fee: Msats | undefined
  readonly reason: string
  /** The reason why a payment to an address came back. */
  readonly why: LineReturned | undefined
  /** Whether the line waits for outgoing payments to continue. */
  readonly paused: boolean
  /**
   * The line's state. `waiting`: nobody has approved the list yet. `denied`: the list was denied, so nothing was paid.
   */
  readonly state: ShareState | 'waiting' | 'denied'
}

export type LineReturned =
  | { readonly kind: 'refused'; readonly refusal: TippingRefusal }
  | { readonly kind: 'returned'; readonly because: ReturnedBecause; readonly reason: string | undefined }
  /** The books were restored from a backup without the payment's outcome, so the payment may have arrived. */
  | { readonly kind: 'restored' }

/** A list in the form that is stored until it is confirmed or approved. */
export interface ListGift extends Gift {
  readonly kind: 'list'
  readonly command: {
    readonly guild: string
    readonly member: string
    readonly reason: string
    readonly lines: readonly StoredLine[]
    /**
     * Whether a split made the list. In that case, everybody must still be payable (`mustBePayable`), or nobody is
     * paid.
     */
    readonly split?: true
    readonly pool?: FromPool
    readonly origin: Origin
  }
}

export interface StoredLine {
  readonly line: number
  /** A member, or a Lightning Address as limits count it (`addressRecipient`). */
  readonly recipient: string
  /** The Lightning Address, if the recipient is not a member; empty after the address was forgotten. */
  readonly address?: string
  /** The amount in decimal msats. */
  readonly amount: string
  /** The highest fee of a payment to an address, in addition to the amount, in decimal msats. */
  readonly feeLimit?: string
  readonly reason: string
}
