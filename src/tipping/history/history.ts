import type { SuccessWords } from '../../lib/lightning/success-action.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { WalletShareState } from '../engine/own-wallets/view-wallet-share.ts'
import type { BookedValue } from '../engine/prices/noted-prices.ts'

/**
 * A member's own bookings, with gifts from wallet to wallet, which are in no book, and the proof of the member's own
 * payments.
 */
export interface History {
  /** Returns a page of a member's bookings, newest first. Pages count from 0; one beyond the last is empty. */
  page(member: string, page: number): Promise<HistoryPage>
  /** Returns all moves, oldest first, with purpose and value; at most the newest fifty thousand. */
  export(member: string): Promise<readonly ExportedLine[]>
  /** Returns the operations behind the newest bookings, newest first, each once, at most 25. */
  operations(member: string): Promise<readonly MemberLine[]>
  /**
   * Returns one of a member's own operations with all identifiers that other systems use. Asks the provider for the
   * proof of payment. Throws TippingRefusal `payment-not-found` for others' payments.
   */
  receipt(command: { readonly member: string; readonly operation: string }): Promise<PaymentReceipt>
}

export interface HistoryPage {
  readonly lines: readonly MemberLine[]
  /** The member's balance; undefined if nobody has one. */
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

/** A booking as its member sees it. */
export interface MemberLine {
  readonly operation: string
  readonly at: Date
  /** In msats; positive if the member received. */
  readonly amount: bigint
  /** The member's balance after it; undefined for a gift from wallet to wallet. */
  readonly balance: Msats | undefined
  /** The state of a gift from wallet to wallet; undefined for a booking. Its recipient sees it after it is paid. */
  readonly state: WalletShareState | undefined
  readonly what: BookedAs
  /** The other member: the giver or the receiver. */
  readonly who: string | undefined
}

/** The purpose of a booking. */
export interface BookedReason {
  /** The giver's own words; empty if there are none. */
  readonly reason: string
  /** The recipe of the rule that gave it. */
  readonly rule: string | undefined
  /** The name of the API key that gave it. */
  readonly apiKey: string | undefined
}

/** A booking in an export. */
export interface ExportedLine extends MemberLine, BookedReason {
  /** The value at its time; undefined if no price of that time is known. */
  readonly worth: BookedValue | undefined
}

/** One of a member's own operations, with its names in other systems. */
export interface PaymentReceipt {
  readonly operation: string
  readonly what: BookedAs
  readonly who: string | undefined
  /** The time of its first booking. */
  readonly at: Date
  /** In msats: the total of its bookings, positive if the member received. */
  readonly amount: bigint
  /** The state, as in its line. */
  readonly state: WalletShareState | undefined
  /** The network's fee; undefined if there was none, or it is not yet known. */
  readonly fee: Msats | undefined
  /** The provider's id. */
  readonly remoteId: string | undefined
  /** The paid invoice or code. */
  readonly request: string | undefined
  readonly paymentHash: string | undefined
  /**
   * The payment hash's preimage in hex, checked: only the payer has it. `missing`: the provider did not answer.
   * Undefined if there is none.
   */
  readonly preimage: string | 'missing' | undefined
  /** The receiver's message to its payer (LUD-09, LUD-10); undefined if there is none, or nothing was paid. */
  readonly said: SuccessWords | undefined
}
