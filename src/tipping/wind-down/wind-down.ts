import type { Msats } from '../../lib/money/amount.ts'
import type { Claim } from '../../lib/proofs/claim-list.ts'

/**
 * The planned end of a bot, without losing a sat. Deposits close, and the bot tells and later reminds everybody with a
 * balance. From a date on, rounds pay the balances out, each in the first way that its member has: connected wallet,
 * Lightning Address, linked account, else a code that any wallet scans. Unpayable sums are put on a list that a
 * successor can honour. Each step is durable, so a bot that was stopped continues at the same step. Each payment is
 * reserved before it is sent, so nothing is paid twice.
 */
export interface WindDowns {
  /**
   * Proposes a date (`2030-01-31`), or starts the wind-down if another operator has proposed the same date. Throws
   * TippingRefusal `wind-down-date`, `wind-down-already`, `decision-needs-another` or `proposal-waits`.
   */
  start(command: { readonly by: string; readonly operator: string }): Promise<WindDownView>
  /** Stops the wind-down and reopens deposits. Throws TippingRefusal `wind-down-none` or `wind-down-listed`. */
  stop(command: { readonly operator: string }): Promise<void>
  /** Returns the wind-down's progress; undefined if there is no wind-down. */
  status(): Promise<WindDownView | undefined>
  /** Returns the payment that each member would get now, and its way. Nothing moves. */
  plan(): Promise<WindDownPlan>
  /**
   * Sets aside what no round can pay, and resolves to the whole list. A repeated call adds what has come since. Throws
   * Problem while there is still something to pay.
   */
  claims(): Promise<ClaimsOfBook>
  /**
   * Credits each claim on another bot's list once, from this operator's own sats. Throws Problem if those sats do not
   * cover the claims.
   */
  adopt(list: ClaimsOfBook & { readonly signer: string }): Promise<Adopted>
  /** Returns a notice for a card. Throws TippingRefusal `not-there`. */
  notice(id: string): Promise<WindDownNoticeView>
}

/**
 * The way a balance leaves: to an invoice of the member's connected wallet, to their Lightning Address, to their linked
 * account, or as a code.
 */
export type Way = 'wallet' | 'address' | 'account' | 'code'

export interface WindDownView {
  readonly id: string
  /** The date from which balances are paid out. */
  readonly by: Date
  /** The wind-down's state. `listed`: the unpayable sums are on the claim list. */
  readonly state: 'proposed' | 'on' | 'listed'
  /**
   * When a single operator's proposal takes effect; undefined if a second operator must agree, or the wind-down has
   * begun.
   */
  readonly dueAt: Date | undefined
  readonly round: number
  /** Members' remaining balances. */
  readonly balances: { readonly count: number; readonly amount: Msats }
  /** The number of payments under way, including codes that nobody has scanned. */
  readonly underWay: number
  readonly claims: { readonly count: number; readonly amount: Msats }
}

export interface WindDownPlan {
  readonly payments: readonly PlannedPayment[]
  /**
   * The balances that no payment can move now: they are too small, every way has failed, or an earlier payment is open.
   */
  readonly listed: readonly { readonly member: string; readonly amount: Msats }[]
  /**
   * The sums that first return to their givers and can be paid afterwards. `underWay`: payments under way. `pools`:
   * servers' pools, which are listed.
   */
  readonly goesBack: Msats
  readonly underWay: Msats
  readonly pools: Msats
}

export interface PlannedPayment {
  readonly member: string
  readonly way: Way
  /** The Lightning Address or gamertag; undefined for other ways. */
  readonly to: string | undefined
  readonly amount: Msats
  readonly feeLimit: Msats
}

export interface ClaimsOfBook {
  readonly windDown: string
  readonly network: string
  readonly claims: readonly Claim[]
}

/**
 * The claims that a call credited: their number, and their amount in msats. `before` is the number of claims that
 * earlier calls had credited.
 */
export interface Adopted {
  readonly count: number
  readonly amount: Msats
  readonly before: number
}

export interface WindDownNoticeView {
  readonly kind: 'told' | 'reminded'
  readonly state: 'on' | 'listed' | 'stopped'
  readonly by: Date
  readonly balance: Msats
}
