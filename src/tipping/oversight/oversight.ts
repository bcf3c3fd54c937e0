import type { Msats } from '../../lib/amount.ts'
import type { BalanceProof } from '../../lib/balance-proof.ts'
import type { Audit } from '../tipping.ts'

/**
 * Watching over the whole: what is owed and held, proven again and again, for everybody to see; a proof for each member
 * that their balance is part of it; and what only operators may do. Who is an operator is the front's to say.
 */
export interface Oversight {
  /** What the last audit found, and what is on its way right now. */
  status(): Promise<StatusView>
  /** Throws Refusal `balance-not-proven` when the member had nothing when it was last proven. */
  balanceProof(member: string): Promise<BalanceProof>

  /** Audits now, and keeps what it found as the audits on the timer do. */
  audit(): Promise<Audit>
  /** Payments whose end nobody knows, and those that operators have decided, the oldest first, at most `limit`. */
  unknown(limit: number): Promise<UnknownPayment[]>
  /**
   * One operator's word on what became of an unknown payment. The word of a second one, for the same outcome, is taken
   * for proof. A decided payment can be decided again, which corrects the books. Throws Refusal.
   */
  decide(command: DecidePayment): Promise<DecisionView>
  /** Nothing leaves until an operator says so. */
  pause(command: { readonly operator: string; readonly reason: string }): Promise<void>
  /** Ends the operators' pause, not one that the audit has made. Resolves to why things are still paused, if they are. */
  resume(command: { readonly operator: string }): Promise<string | undefined>

  /** What operators have not been told yet, the oldest first, at most `limit`. */
  untoldAlarms(limit: number): Promise<AlarmView[]>
  alarmTold(id: number): Promise<void>
}

export interface StatusView {
  /** Undefined until the first audit has ended. */
  readonly proven: Proven | undefined
  readonly inFlight: InFlight
  /** Why nothing leaves at the moment, if it is so. */
  readonly paused: string | undefined
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

export type PaymentKind = 'payout' | 'withdrawal'
export type PaymentOutcome = 'paid' | 'failed'

export interface UnknownPayment {
  readonly kind: PaymentKind
  readonly id: string
  readonly member: string
  readonly amount: Msats
  /** The Lightning account, address or invoice. */
  readonly to: string
  readonly since: Date
  /** What the provider said, in its own words. */
  readonly evidence: string
  /** The provider's id of it, where it gave one. */
  readonly remoteId: string | undefined
  /** One operator's word, that waits for a second one's. */
  readonly proposal: { readonly outcome: PaymentOutcome; readonly by: string; readonly reason: string } | undefined
  /** What two operators have decided. */
  readonly decided: PaymentOutcome | undefined
}

export interface DecidePayment {
  readonly payment: string
  readonly outcome: PaymentOutcome
  readonly reason: string
  readonly operator: string
}

/**
 * `proposed`: waits for another operator. `done`: two have decided, and the books say so. `overtaken`: the provider told
 * the end meanwhile, so nothing was left to decide.
 */
export interface DecisionView {
  readonly id: string
  readonly payment: string
  readonly outcome: PaymentOutcome
  readonly state: 'proposed' | 'overtaken' | 'done'
  readonly amount: Msats
  readonly proposedBy: string
  readonly secondedBy: string | undefined
}

export interface AlarmView {
  readonly id: number
  readonly kind: string
  readonly text: string
  readonly at: Date
}
