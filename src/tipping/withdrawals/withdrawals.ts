import type { SuccessWords } from '../../lib/lightning/success-action.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/**
 * Withdrawals, which move sats out of a balance: to a code that any wallet scans, to an invoice, to a Lightning
 * Address, or to another member's request for money. Sums that may leave are reserved before the provider is asked, and
 * return only with proof that nothing left.
 */
export interface Withdrawals {
  /**
   * Prepares a withdrawal, which waits for its member's confirmation. Nothing moves. Throws TippingRefusal if the
   * withdrawal is not possible now.
   */
  ask(command: WithdrawCommand): Promise<WithdrawalView>
  /**
   * Prepares a withdrawal of the most that can be sent to the member's connected wallet, which makes the invoice.
   * Throws what `ask` throws, and TippingRefusal `own-wallet-no-invoice`.
   */
  askToMove(command: { readonly member: string; readonly origin: Origin }): Promise<WithdrawalView>
  /** Confirms a withdrawal, once: reserves and sends it. A second confirmation returns the first one's result. */
  confirm(command: Decision): Promise<WithdrawalView>
  /** Cancels an unconfirmed withdrawal. */
  cancel(command: Decision): Promise<WithdrawalView>
  /**
   * Asks the provider to end a shown code, so that its sats come back immediately instead of at its expiry. Resolves to
   * `cancelled` if the code ended before anybody scanned it, else to `claimed`; the card then shows the outcome. Throws
   * TippingRefusal `code-not-cancellable`, `withdrawal-over`, `not-yours`, `provider-unreachable` or
   * `provider-refused`.
   */
  cancelCode(command: Decision): Promise<'cancelled' | 'claimed'>
  /**
   * Pays another member's request from this member's balance. Each member pays a request once, however often they
   * press. A payment above a limit is only prepared: its state is `asked`, until `confirm` is called.
   */
  pay(command: { readonly invoice: string; readonly member: string; readonly origin: Origin }): Promise<WithdrawalView>
  view(id: string): Promise<WithdrawalView>
}

export interface WithdrawCommand {
  readonly member: string
  /**
   * The amount as typed; `all` is the largest amount that leaves room for its fee limit. Default: the invoice's amount;
   * without one, TippingRefusal `amount-missing` is thrown.
   */
  readonly amount?: string
  /**
   * The destination: an invoice, an offer, a Bitcoin name, a Lightning Address, a pay code, or a gamertag; undefined
   * for a code to scan.
   */
  readonly to?: string
  readonly origin: Origin
}

export interface Decision {
  readonly withdrawal: string
  /** The deciding member. Only the person who asked may decide. */
  readonly member: string
  readonly origin: Origin
}

export type WithdrawalKind = 'request' | 'invoice' | 'address' | 'pay'

/**
 * - `asked`, `cancelled`: nothing has moved.
 * - `sending`: the payment is on its way, or about to be.
 * - `unknown`: the provider has not reported the outcome; the bot checks.
 * - `offered`: a code waits to be scanned. `claimed`: somebody has scanned it, and the payment is on its way.
 * - `paid`: final. `fee` is missing until the provider reports it.
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
 * - `refused`: the provider refused the withdrawal. `unreachable`: the provider was not reached. `failed`: no route
 *   was found through the network.
 * - `expired`: nobody scanned the code in time. `never-shown`: no code was shown, and it would have expired by now.
 * - `paused`: payments are paused. `interrupted`: the bot stopped before sending the payment.
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
  /** The card's id; undefined until the withdrawal is confirmed. */
  readonly card: string | undefined
  readonly member: string
  readonly kind: WithdrawalKind
  readonly amount: Msats
  /** The payment's fee limit. The unused part comes back. */
  readonly feeLimit: Msats
  readonly fee: Msats | undefined
  /** The Lightning node's present price for the payment, if it is fixed; undefined once the withdrawal is confirmed. */
  readonly price: Msats | undefined
  /** Whether the member asked for `all`. */
  readonly everything: boolean
  /** The destination of an `address` withdrawal: the Lightning Address or Bitcoin name, or a gamertag after an @. */
  readonly destination: string | undefined
  /** The author of the request that a `pay` withdrawal pays. */
  readonly payee: string | undefined
  readonly state: WithdrawalState
  /** Whether the withdrawal takes longer than it should, because the provider has not reported the outcome. */
  readonly late: boolean
  readonly because: ReturnedBecause | undefined
  /** The provider's own words, if it gave any. */
  readonly reason: string | undefined
  /** The code that a wallet scans (LNURL-withdraw), while it is offered. */
  readonly request: string | undefined
  readonly expiresAt: Date | undefined
  readonly endedAt: Date | undefined
  /** Whether a wallet has scanned the offered code, but its payment failed. If so, the code can be scanned again. */
  readonly triedInVain: boolean
  /** The receiver's message to its payer (LUD-09, LUD-10), as soon as the withdrawal is paid. */
  readonly said: SuccessWords | undefined
}
