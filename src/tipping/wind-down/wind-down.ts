import type { Msats } from '../../lib/money/amount.ts'
import type { Claim } from '../../lib/proofs/claim-list.ts'

/**
 * Ends a bot without the loss of a sat. Deposits close, and the bot tells everybody with a balance, and reminds them.
 * From a day on, rounds pay the balances out, each by the first way that its member has: connected wallet, Lightning
 * Address, linked account, else a code that any wallet scans. Unpayable sums are set aside on a list that a successor
 * can honour. Each step is durable, so a stopped bot continues there. Each payment is reserved before it is sent, so
 * nothing is paid twice.
 */
export interface WindDowns {
  /**
   * Proposes a date (`2030-01-31`), or begins the wind-down where another operator has proposed the same date. Throws TippingRefusal
   * `wind-down-date`, `wind-down-already`, `decision-needs-another` or `proposal-waits`.
   */
  start(command: { readonly by: string; readonly operator: string }): Promise<WindDownView>
  /** Stops the wind-down and opens deposits again. Throws TippingRefusal `wind-down-none` or `wind-down-listed`. */
  stop(command: { readonly operator: string }): Promise<void>
  /** Its progress; undefined if there is none. */
  status(): Promise<WindDownView | undefined>
  /** Each member's payment now, and its way. Nothing moves. */
  plan(): Promise<WindDownPlan>
  /**
   * Sets aside what no round can pay, and resolves to the whole list. A repeated call adds what has come since. Throws
   * Problem while there is still something to pay.
   */
  claims(): Promise<ClaimsOfBook>
  /** Credits the claims of another bot's list, each once, out of this operator's own sats. Throws Problem where these do not cover it. */
  adopt(list: ClaimsOfBook & { readonly signer: string }): Promise<Adopted>
  /** For a card. Throws TippingRefusal `not-there`. */
  notice(id: string): Promise<WindDownNoticeView>
}

/** How a balance leaves: an invoice of their connected wallet, their Lightning Address, their linked account, or a code. */
export type Way = 'wallet' | 'address' | 'account' | 'code'

export interface WindDownView {
  readonly id: string
  /** Balances are paid out from then on. */
  readonly by: Date
  /** `listed`: what could not be paid is on the claim list. */
  readonly state: 'proposed' | 'on' | 'listed'
  /** When a lone operator's proposal takes effect; undefined if a second operator must agree, or it has begun. */
  readonly dueAt: Date | undefined
  readonly round: number
  /** Members' balances that are left. */
  readonly balances: { readonly count: number; readonly amount: Msats }
  /** Payments of the rounds that are on their way, codes that nobody has scanned too. */
  readonly underWay: number
  readonly claims: { readonly count: number; readonly amount: Msats }
}

export interface WindDownPlan {
  readonly payments: readonly PlannedPayment[]
  /** Claims that no way can pay: too little for a payment, or every way has failed. */
  readonly listed: readonly { readonly member: string; readonly amount: Msats }[]
  /**
   * In msats: sums that return to their givers first, and may be paid then; payments under way; and servers' pools,
   * which are listed.
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

/** Amounts in msats. `before`: what an earlier call has credited. */
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
