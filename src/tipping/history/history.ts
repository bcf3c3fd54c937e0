import type { SuccessWords } from '../../lib/lightning/success-action.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { WalletShareState } from '../engine/own-wallets/view-wallet-share.ts'
import type { BookedValue } from '../engine/prices/noted-prices.ts'

/**
 * A member's own history: the bookings, the gifts from wallet to wallet, which are in no book, and the proof of the
 * member's own payments.
 */
export interface History {
  /**
   * Returns a page of a member's bookings and gifts from wallet to wallet, newest first. Pages count from 0; a page
   * beyond the last is empty.
   */
  page(member: string, page: number): Promise<HistoryPage>
  /**
   * Returns the newest lines of a member's history, at most fifty thousand, oldest first, each with its purpose and
   * value.
   */
  export(member: string): Promise<readonly ExportedLine[]>
  /** Returns a member's newest operations, at most 25, newest first. */
  operations(member: string): Promise<readonly MemberLine[]>
  /**
   * Returns one of a member's own operations with all identifiers that other systems use for it. Asks the provider for
   * the proof of payment. Throws TippingRefusal `payment-not-found` for other members' payments.
   */
  receipt(command: { readonly member: string; readonly operation: string }): Promise<PaymentReceipt>
}

export interface HistoryPage {
  readonly lines: readonly MemberLine[]
  /** The member's balance; undefined if members have no balances here. */
  readonly balance: Msats | undefined
  readonly hasOlder: boolean
}

/** What a booking means to the member whose balance it changed. */
export type BookedAs =
  | 'tip-sent'
  | 'tip-received'
  | 'tip-returned'
  | 'reward'
  | 'payout'
  | 'returned'
  | 'fee-returned'
  | 'deposit'
  | 'address'
  | 'withdrawal'
  | 'payment'
  | 'voucher'
  | 'voucher-returned'
  | 'redemption'
  | 'drop'
  | 'drop-share'
  | 'drop-rest'
  | 'giveaway'
  | 'prize'
  | 'giveaway-rest'
  | 'pool-gift'
  | 'faucet'
  | 'correction'

/** A line of a member's history: a booking, or a gift from wallet to wallet. */
export interface MemberLine {
  readonly operation: string
  readonly at: Date
  /** The amount in msats; positive if the member received it. */
  readonly amount: bigint
  /** The member's balance after the booking; undefined for a gift from wallet to wallet. */
  readonly balance: Msats | undefined
  /**
   * The state of a gift from wallet to wallet; undefined for a booking. The recipient sees such a gift only after it is
   * paid.
   */
  readonly state: WalletShareState | undefined
  readonly what: BookedAs
  /** The other member: the giver or the receiver. */
  readonly who: string | undefined
}

/** The purpose of a booking. */
export interface BookedReason {
  /** The giver's own words; empty if there are none. */
  readonly reason: string
  /** The recipe of the rule that paid; undefined if no rule did. */
  readonly rule: string | undefined
  /** The name of the API key with which a program paid; undefined if no program did. */
  readonly apiKey: string | undefined
}

/** A line of a member's history in an export. */
export interface ExportedLine extends MemberLine, BookedReason {
  /** The value at the time of the booking; undefined if no price of that time is known. */
  readonly worth: BookedValue | undefined
}

/** One of a member's own operations, with its identifiers in other systems. */
export interface PaymentReceipt {
  readonly operation: string
  readonly what: BookedAs
  readonly who: string | undefined
  /** The time of the operation's first booking; of its last one if the whole sum was returned. */
  readonly at: Date
  /** The total of the operation's bookings, in msats; positive if the member received it. */
  readonly amount: bigint
  /** The state, as in the operation's `MemberLine`. */
  readonly state: WalletShareState | undefined
  /** The network's fee; undefined if there was none, or the fee is not yet known. */
  readonly fee: Msats | undefined
  /** The provider's id for the operation. */
  readonly remoteId: string | undefined
  /** The paid invoice or code. */
  readonly request: string | undefined
  readonly paymentHash: string | undefined
  /**
   * The preimage of the payment hash in hex. It has been checked, and only the payer has it. `missing`: the provider
   * did not answer. Undefined if there is no preimage.
   */
  readonly preimage: string | 'missing' | undefined
  /** The receiver's message to the payer (LUD-09, LUD-10); undefined if there is none, or nothing was paid. */
  readonly said: SuccessWords | undefined
}
