import type { SuccessWords } from '../../lib/lightning/success-action.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/**
 * Sats on their way out of a balance: to a code that any wallet scans, to an invoice, to a Lightning Address, or to
 * another member's request for money. Sums that may leave are reserved before the provider is asked, and return only
 * with proof that nothing left.
 */
export interface Withdrawals {
  /**
   * Prepares a withdrawal and moves nothing: it waits for its member's word. Throws TippingRefusal if it is not
   * possible now.
   */
  ask(command: WithdrawCommand): Promise<WithdrawalView>
  /**
   * Prepares a withdrawal of as much as can be sent into the wallet that the member has connected: it makes the invoice. Throws as
   * `ask`, and TippingRefusal `own-wallet-no-invoice`.
   */
  askToMove(command: { readonly member: string; readonly origin: Origin }): Promise<WithdrawalView>
  /** The member's word, good for one use: reserves and sends. A second time it shows what became of the first. */
  confirm(command: Decision): Promise<WithdrawalView>
  /** Cancels an unconfirmed one. */
  cancel(command: Decision): Promise<WithdrawalView>
  /**
   * Asks the provider to end a shown code, so its sats come back at once instead of at its expiry. Resolves to whether
   * it ended before anybody scanned it; the card follows. Throws TippingRefusal `code-not-cancellable`,
   * `withdrawal-over`, `not-yours`, `provider-unreachable` or `provider-refused`.
   */
  cancelCode(command: Decision): Promise<'cancelled' | 'claimed'>
  /**
   * Pays another member's request from one's balance. Each member pays a request once, for any number of presses; above
   * a limit the answer is `asked`, and `confirm` follows.
   */
  pay(command: { readonly invoice: string; readonly member: string; readonly origin: Origin }): Promise<WithdrawalView>
  view(id: string): Promise<WithdrawalView>
}

export interface WithdrawCommand {
  readonly member: string
  /**
   * As typed; `all` is the largest amount beside its fee limit. Left out: what the invoice says. Throws TippingRefusal
   * `amount-missing` if it says nothing.
   */
  readonly amount?: string
  /** An invoice, an offer, a Bitcoin name, a Lightning Address, a pay code, a gamertag; nothing: a code to scan. */
  readonly to?: string
  readonly origin: Origin
}

export interface Decision {
  readonly withdrawal: string
  /** The deciding member: only the person who asked may. */
  readonly member: string
  readonly origin: Origin
}

export type WithdrawalKind = 'request' | 'invoice' | 'address' | 'pay'

/**
 * - `asked`, `cancelled`: nothing has moved.
 * - `sending`: on its way, or about to be.
 * - `unknown`: the provider has not reported the outcome; the bot checks.
 * - `offered`: a code waits to be scanned. `claimed`: somebody has scanned it, and the payment is on its way.
 * - `paid`: final. `fee` is missing until the provider names it.
 * - `returned`: nothing left, and everything is back in the balance; final.
 */
export type WithdrawalState =
  | 'asked'
  | 'cancelled'
  | 'sending'
  | 'unknown'
  | 'offered'
  | 'claimed'
  | 'paid'
  | 'returned'

/**
 * Why sats came back.
 * - `refused`: the provider said no. `unreachable`: it was not there. `failed`: no way was found through the network.
 * - `expired`: nobody scanned the code in time. `never-shown`: there was no code to show, and its time is over.
 * - `paused`: nothing leaves at the moment. `interrupted`: the bot was stopped before it was sent.
 */
export type ReturnedBecause =
  | 'refused'
  | 'unreachable'
  | 'failed'
  | 'expired'
  | 'never-shown'
  | 'paused'
  | 'interrupted'

export interface WithdrawalView {
  readonly id: string
  /** Undefined until it is confirmed. */
  readonly card: string | undefined
  readonly member: string
  readonly kind: WithdrawalKind
  readonly amount: Msats
  /** Fee limit of the payment; the unused part comes back. */
  readonly feeLimit: Msats
  readonly fee: Msats | undefined
  /** The Lightning node's charge now, if it has a fixed price; shown before sending. */
  readonly price: Msats | undefined
  /** `all` was asked for. */
  readonly everything: boolean
  /** For `address`: the Lightning Address or Bitcoin name; a gamertag after an @. */
  readonly destination: string | undefined
  /** The author of the request that is paid, for `pay`. */
  readonly payee: string | undefined
  readonly state: WithdrawalState
  /** It takes longer than it should: the provider does not say how it ends. */
  readonly late: boolean
  readonly because: ReturnedBecause | undefined
  /** The provider's own words, where it said something. */
  readonly reason: string | undefined
  /** The code that a wallet scans (LNURL-withdraw), while it is offered. */
  readonly request: string | undefined
  readonly expiresAt: Date | undefined
  readonly endedAt: Date | undefined
  /** A wallet has scanned the code that is offered, and its payment failed: it can be scanned again. */
  readonly triedInVain: boolean
  /** The receiver's message for its payer (LUD-09, LUD-10), once it is paid. */
  readonly said: SuccessWords | undefined
}
