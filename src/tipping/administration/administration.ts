import type { Msats } from '../../lib/money/amount.ts'
import type { BalanceProof } from '../../lib/proofs/balance-proof.ts'
import type { Audit } from '../tipping.ts'

/**
 * Watching over the whole: what is owed and held, proven again and again, for everybody to see; a proof for each member
 * that their balance is part of it; and what only operators may do. Who is an operator is the front's to say.
 */
export interface TippingAdministration {
  /** What the last audit found, and what is on its way right now. */
  status(): Promise<StatusView>
  /** Throws TippingRefusal `balance-not-proven` when the member had nothing when it was last proven. */
  balanceProof(member: string): Promise<BalanceProof>

  /** Audits now, and keeps what it found as the audits on the timer do. */
  audit(): Promise<Audit>
  /** Payments and vouchers whose end nobody knows, and those that operators have decided, the oldest first, at most `limit`. */
  unknown(limit: number): Promise<UnknownPayment[]>
  /**
   * One operator's word on what became of an unknown payment. The word of a second one, for the same outcome, is taken
   * for proof. A decided payment can be decided again, which corrects the books. Throws TippingRefusal.
   */
  decide(command: DecidePayment): Promise<DecisionView>
  /**
   * One operator's word on sats that moved without a command of a member's; a second one's, within a day, books them.
   * What the wallet disproves is refused. Throws TippingRefusal.
   */
  book(command: BookingCommand): Promise<BookingView>
  /** Nothing leaves until an operator says so. */
  pause(command: { readonly operator: string; readonly reason: string }): Promise<void>
  /** Ends the operators' pause, not one that the audit has made. Resolves to why things are still paused, if they are. */
  resume(command: { readonly operator: string }): Promise<string | undefined>

  /** What operators have not been told yet, the oldest first, at most `limit`. */
  untoldAlerts(limit: number): Promise<AlertView[]>
  alertTold(id: number): Promise<void>
}

export interface StatusView {
  /** Undefined until the first audit has ended. */
  readonly proven: Proven | undefined
  readonly inFlight: InFlight
  /** Who has paused what leaves (the audit, an operator, a restored backup), and why; undefined where nothing is. */
  readonly paused: { readonly source: 'cover' | 'operator' | 'restore'; readonly reason: string } | undefined
}

/** What an audit found. All amounts in msats. */
export interface Proven {
  readonly at: Date
  /** Whether the books proved right and the wallet covered them. */
  readonly holds: boolean
  /** To members, pools, pots and whoever is being paid: the sum of the tree. */
  readonly owed: Msats
  /** What the provider's wallet held; undefined when it could not be asked. */
  readonly wallet: Msats | undefined
  /** What it had to hold by the books, and by how much it may differ for payments that are on their way. */
  readonly expected: Msats
  readonly mayHaveLeft: Msats
  readonly mayHaveArrived: Msats
  /** Of the sum tree, in hexadecimal. */
  readonly root: string
}

export interface InFlight {
  readonly count: number
  readonly oldestSince: Date | undefined
}

/**
 * What operators may decide. `voucher`: whether a code was made. `revocation`: whether a code was taken back or redeemed.
 * `redemption`: whether the sats of a code have come.
 */
export type DecidableKind = 'payout' | 'withdrawal' | 'voucher' | 'revocation' | 'redemption'
/** `failed` of a revocation means that the voucher did not get away: it was taken back. */
export type PaymentOutcome = 'paid' | 'failed'

export interface UnknownPayment {
  readonly kind: DecidableKind
  readonly id: string
  readonly member: string
  /** Undefined for a redeemed code: what it was worth only the provider knows. */
  readonly amount: Msats | undefined
  /** The Lightning account, address or invoice; empty for a voucher. */
  readonly to: string
  readonly since: Date
  /** What the provider said, in its own words. */
  readonly evidence: string
  /** The provider's id of it, where it gave one. */
  readonly remoteId: string | undefined
  /** One operator's word, that waits for a second one's. */
  readonly proposal: ProposedDecision | undefined
  /** What two operators have decided. */
  readonly decided: PaymentOutcome | undefined
}

export interface ProposedDecision {
  readonly outcome: PaymentOutcome
  /** What came with a redeemed code. */
  readonly amount: Msats | undefined
  readonly by: string
  readonly reason: string
}

export interface DecidePayment {
  readonly payment: string
  readonly outcome: PaymentOutcome
  readonly reason: string
  readonly operator: string
  /** What came with a redeemed code, as typed; only for that. */
  readonly amount?: string | undefined
}

/**
 * `proposed`: waits for another operator. `done`: two have decided, and the books say so. `overtaken`: the provider told
 * the end meanwhile, so nothing was left to decide.
 */
export interface DecisionView {
  readonly id: string
  readonly kind: DecidableKind
  readonly payment: string
  readonly outcome: PaymentOutcome
  readonly state: 'proposed' | 'overtaken' | 'done'
  /** Undefined where nothing came with a redeemed code. */
  readonly amount: Msats | undefined
  readonly proposedBy: string
  readonly secondedBy: string | undefined
}

/**
 * `top-up`: paid into the provider's wallet for the operator. `take-out`: paid out of it by the operator. `suspense`: sats
 * whose owner was unclear are the named member's, or the operator's.
 */
export type BookingKind = 'top-up' | 'take-out' | 'suspense'

export interface BookingCommand {
  readonly what: BookingKind
  /** As typed. */
  readonly amount: string
  /** Only for `suspense`. */
  readonly member?: string | undefined
  readonly reason: string
  readonly operator: string
}

/** `proposed`: waits for another operator's word. `done`: it is in the books. */
export interface BookingView {
  readonly id: string
  readonly what: BookingKind
  readonly amount: Msats
  readonly member: string | undefined
  readonly state: 'proposed' | 'done'
}

export interface AlertView {
  readonly id: number
  readonly kind: string
  readonly text: string
  readonly at: Date
}
