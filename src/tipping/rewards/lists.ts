import type { Msats } from '../../lib/money/amount.ts'
import type { TippingRefusal } from '../core/tipping-refusal.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { FromPool, Gift } from '../engine/gifts/gifts.ts'
import type { ShareState } from '../tips/tips.ts'
import type { ReturnedBecause } from '../withdrawals/withdrawals.ts'

/** The most lines that a list may have. */
export const MAX_LIST_LINES = 1_000
/** The largest file of a list, in bytes. */
export const MAX_LIST_BYTES = 256 * 1_024

export interface ListCommand {
  readonly guild: string
  readonly member: string
  /** The file: receiver, sats and reason; a line for each. */
  readonly file: Uint8Array
  /** The member in a cell; undefined if there is none. The front knows how people are named. */
  readonly memberIn: (cell: string) => string | undefined
  /** The reason for all of it, and for each line without one. */
  readonly reason: string
  readonly origin: Origin
}

/** Present facts about a person; undefined: they are not in the server. */
export type PersonInServer = (
  member: string,
) => Promise<{ readonly bot: boolean; readonly roles: readonly string[] } | undefined>

export interface ListConfirmation {
  readonly asked: string
  readonly member: string
  /** Ids of the moderator's roles at this moment. */
  readonly roles: readonly string[]
  /** Finds a person in the server now: a split pays nobody else. Left out: nobody is. */
  readonly person?: PersonInServer
  readonly origin: Origin
}

/** The fault of a line. */
export type ListFault =
  | 'not-a-member'
  | 'address'
  /** It fills a balance here: its member is to be named. */
  | 'address-here'
  | 'twice'
  | 'self'
  | 'amount'
  | 'amount-negative'
  | 'amount-fraction'
  | 'amount-range'
  | 'reason-too-long'

export interface WrongLine {
  /** In the file, from 1. */
  readonly line: number
  /** As they stand there. */
  readonly who: string
  readonly amount: string
  readonly reason: string
  readonly fault: ListFault
}

export interface ListPreview {
  /** The id to confirm; undefined if no line is right. */
  readonly asked: string | undefined
  readonly people: number
  readonly total: Msats
  /** Fee limit of payments to Lightning Addresses, beside the total. */
  readonly feeLimit: Msats
  readonly wrong: readonly WrongLine[]
  /** Lines of a file with outcomes that say that they were paid. */
  readonly paidBefore: number
}

export interface ListOutcome {
  readonly line: number
  /** A member; for a line to a Lightning Address, its counting key. */
  readonly recipient: string
  /** The Lightning Address; empty if it is no longer known. */
  readonly address: string | undefined
  readonly amount: Msats
  /** The fee of the payment to an address, once it is known. */
  readonly fee: Msats | undefined
  readonly reason: string
  /** Why a payment to an address came back. */
  readonly why: LineReturned | undefined
  /** It waits for outgoing payments to go on. */
  readonly paused: boolean
  /** `waiting`: nobody has approved it yet. `denied`: nothing was paid. */
  readonly state: ShareState | 'waiting' | 'denied'
}

export type LineReturned =
  | { readonly kind: 'refused'; readonly refusal: TippingRefusal }
  | { readonly kind: 'returned'; readonly because: ReturnedBecause; readonly reason: string | undefined }
  /** The books were restored from a backup that knows nothing of its end: it may have arrived. */
  | { readonly kind: 'restored' }

/** A list that was read, as it is stored until it is confirmed or approved. */
export interface ListGift extends Gift {
  readonly kind: 'list'
  readonly command: {
    readonly guild: string
    readonly member: string
    readonly reason: string
    readonly lines: readonly StoredLine[]
    /** Shared out by a split: everybody must still be payable (`mustBePayable`), or nobody is paid. */
    readonly split?: true
    readonly pool?: FromPool
    readonly origin: Origin
  }
}

export interface StoredLine {
  readonly line: number
  /** A member, or a Lightning Address as limits count it (`addressRecipient`). */
  readonly recipient: string
  /** Its destination, if not a member; empty once forgotten. */
  readonly address?: string
  /** Msats, in decimal. */
  readonly amount: string
  /** Of a payment to an address: its highest fee, beside the amount; msats, in decimal. */
  readonly feeLimit?: string
  readonly reason: string
}
