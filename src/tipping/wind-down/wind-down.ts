import type { Msats } from '../../lib/money/amount.ts'
import type { Claim } from '../../lib/proofs/claim-list.ts'

/**
 * Ends a bot without losing a sat. Deposits close, and the bot tells everybody with a balance, and reminds them. From a
 * date on, rounds pay the balances out, each by the first way that its member has: connected wallet, Lightning Address,
 * linked account, else a code that any wallet scans. Unpayable sums are put on a list that a successor can honour. Each
 * step is durable, so a stopped bot continues there. Each payment is reserved before it is sent, so nothing is paid
 * twice.
 */
export interface WindDowns {
  /**
   * Proposes a date (`2030-01-31`), or starts the wind-down if another operator has proposed the same date. Throws
   * TippingRefusal `wind-down-date`, `wind-down-already`, `decision-needs-another` or `proposal-waits`.
   */
  start(command: { readonly by: string; readonly operator: string }): Promise<WindDownView>
  /** Stops the wind-down and reopens deposits. Throws TippingRefusal `wind-down-none` or `wind-down-listed`. */
  stop(command: { readonly operator: string }): Promise<void>
  /** Returns its progress; undefined if there is none. */
  status(): Promise<WindDownView | undefined>
  /** Returns each member's payment and its way now. Nothing moves. */
  plan(): Promise<WindDownPlan>
  /**
   * Sets aside what no round can pay, and resolves to the whole list. A repeated call adds what has come since. Throws
   * Problem while there is still something to pay.
   */
  claims(): Promise<ClaimsOfBook>
  /**
   * Credits each claim on another bot's list once, from this operator's own sats. Throws Problem if these do not cover
   * it.
   */
  adopt(list: ClaimsOfBook & { readonly signer: string }): Promise<Adopted>
  /** Returns a notice for a card. Throws TippingRefusal `not-there`. */
  notice(id: string): Promise<WindDownNoticeView>
}

/**
 * How a balance leaves: by an invoice of the member's connected wallet, their Lightning Address, their linked account,
 * or a code.
 */
export type Way = 'wallet' | 'address' | 'account' | 'code'

export interface WindDownView {
  readonly id: string
  /** The date from which balances are paid out. */
  readonly by: Date
  /** `listed`: the unpayable sums are on the claim list. */
  readonly state: 'proposed' | 'on' | 'listed'
  /** When a single operator's proposal takes effect; undefined if a second operator must agree, or it has begun. */
  readonly dueAt: Date | undefined
  readonly round: number
  /** Members' remaining balances. */
  readonly balances: { readonly count: number; readonly amount: Msats }
  /** The rounds' payments that are under way, including codes that nobody has scanned. */
  readonly underWay: number
  readonly claims: { readonly count: number; readonly amount: Msats }
}

export interface WindDownPlan {
  readonly payments: readonly PlannedPayment[]
  /** Claims that no way can pay: too little for a payment, or every way has failed. */
  readonly listed: readonly { readonly member: string; readonly amount: Msats }[]
  /**
   * In msats: sums that first return to their givers and can be paid afterwards, payments under way, and servers'
   * pools, which are listed.
   */
  readonly goesBack: Msats
  readonly underWay: Msats
  readonly pools: Msats
}

export interface PlannedPayment {
  readonly member: string
  readonly way: Way
  /** The Lightning Address or gamertag. */
  readonly to: string | undefined
  readonly amount: Msats
  readonly feeLimit: Msats
}

export interface ClaimsOfBook {
  readonly windDown: string
  readonly network: string
  readonly claims: readonly Claim[]
}

/** Amounts in msats. `before`: the sum that earlier calls have credited. */
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
