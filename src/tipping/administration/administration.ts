import type { Msats } from '../../lib/money/amount.ts'
import type { BalanceProof } from '../../lib/proofs/balance-proof.ts'
import type {
  BookingCommand,
  BookingView,
  CancelProposal,
  DecidePayment,
  DecisionView,
  OpenProposal,
} from '../adjustments/adjustments.ts'
import type { Audit } from '../audit/audit.ts'
import type { NodeState } from '../core/provider-node.ts'
import type { UnknownPayment } from '../engine/outgoing/decisions.ts'
import type { OperatorPasskeys } from './operator-passkeys.ts'
import type { OperatorSignIns } from './operator-sign-ins.ts'
import type { PoolOverview } from './pools-overview.ts'

/**
 * Administration: the debt and the holdings, proven repeatedly and public; a proof for each member that their balance
 * is counted; and the operators' rights. The front decides who is an operator.
 */
export interface TippingAdministration {
  /** The result of the last audit, and the operations that are on their way now. */
  status(): Promise<StatusView>
  /** A sentence about why this process cannot work on the book; undefined if it can. Never throws. */
  whyNotReady(): Promise<string | undefined>
  /** Whether the machine's clock is believed. Nothing expires while it is not. */
  believesClock(): boolean
  /** State of the Lightning node behind the wallet; undefined if the provider does not report it. Never throws. */
  node(): Promise<NodeState | undefined>
  /** The operators' whole overview: running work, waiting decisions, recent findings. */
  overview(): Promise<OperatorsView>
  /** Sums moved in the last thirty days; read at most every five minutes. */
  movement(): Promise<Movement>
  /** Throws TippingRefusal `balance-not-proven` when the member had nothing when it was last proven. */
  balanceProof(member: string): Promise<BalanceProof>

  /** The servers whose pools have something, or for which something waits or runs, at most `limit`. */
  pools(limit: number): Promise<PoolOverview[]>
  /** Audits now, and keeps what it found as the audits on the timer do. */
  audit(): Promise<Audit>
  /**
   * Payments and vouchers whose end nobody knows, and those that operators have decided, the oldest first, at most
   * `limit`.
   */
  unknown(limit: number): Promise<UnknownPayment[]>
  /**
   * One operator's decision on what became of an unknown payment. A second operator's, for the same outcome, makes it
   * proof. A decided payment can be decided again, which corrects the books. Throws TippingRefusal.
   */
  decide(command: DecidePayment): Promise<DecisionView>
  /**
   * One operator's proposal about sats that moved without a command; a second operator books them within a day.
   * Throws TippingRefusal, also for a booking that the wallet disproves.
   */
  book(command: BookingCommand): Promise<BookingView>
  /** The proposals of single operators that wait, the oldest first, at most `limit` of each kind. */
  proposals(limit: number): Promise<OpenProposal[]>
  /** Cancels a proposal before it takes effect; any operator may. Throws TippingRefusal `proposal-not-there`. */
  cancel(command: CancelProposal): Promise<void>
  /** Nothing leaves until an operator says so. */
  pause(command: { readonly operator: string; readonly reason: string }): Promise<void>
  /**
   * Ends the operators' pause, not one that the audit has made. Resolves to why things are still paused, if they are.
   */
  resume(command: { readonly operator: string }): Promise<string | undefined>

  /** Sign-ins to the operators' pages. */
  readonly signIns: OperatorSignIns
  /** Operators' sign-ins there besides links and the password. */
  readonly passkeys: OperatorPasskeys

  /**
   * Tells operators the bundled service's reports about its Lightning node, in its words. `isGood`: nothing is wrong.
   */
  tellOfNode(text: string, isGood?: boolean): Promise<void>
  /** Tells operators of one operator's action that leaves no other trace, such as "downloaded a backup". */
  tellOfOperator(command: { readonly operator: string; readonly did: string }): Promise<void>
  /** Alerts that operators have not seen yet, oldest first, at most `limit`. */
  untoldAlerts(limit: number): Promise<AlertView[]>
  alertTold(id: number): Promise<void>
}

export interface StatusView {
  /** Undefined until the first audit has ended. */
  readonly proven: Proven | undefined
  readonly inFlight: InFlight
  /**
   * The pause of outgoing payments with its author (the audit, an operator, a restored backup) and reason; undefined
   * while there is none.
   */
  readonly paused: { readonly source: 'cover' | 'operator' | 'restore'; readonly reason: string } | undefined
}

/** The result of an audit. All amounts in msats. */
export interface Proven {
  readonly at: Date
  /** Whether the books proved right and the wallet covered them. */
  readonly holds: boolean
  /** To members, pools, pots and the person who is being paid: the sum of the tree. */
  readonly owed: Msats
  /** The balance of the provider's wallet; undefined when it could not be asked. */
  readonly wallet: Msats | undefined
  /** The balance that the books require, and the margin for payments that are on their way. */
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

export interface OperatorsView {
  readonly status: StatusView
  /** As `node()`. */
  readonly node: NodeState | undefined
  /** Undecided ones, the oldest first, at most 20. */
  readonly unknown: readonly UnknownPayment[]
  /** Arrived payments with an unclear recipient. */
  readonly suspense: Msats
  /** The operator's own; below zero: what they owe the wallet. */
  readonly operator: Msats
  /** The newest first, at most 60. */
  readonly audits: readonly AuditLine[]
  /** The newest first, at most 20. */
  readonly alerts: readonly (AlertView & { readonly told: boolean })[]
}

/** For charts. Amounts in msats. */
export interface Movement {
  /** The last thirty days (UTC), the oldest first; the last one is today. */
  readonly days: readonly DayOfMovement[]
  /** Audits' results in that time, oldest first, at most 120. */
  readonly points: readonly BalancePoint[]
}

export interface DayOfMovement {
  readonly at: Date
  /** Into the wallet, and out of it. */
  readonly received: Msats
  readonly sent: Msats
  /** By members to others, to drops and to pools. */
  readonly given: Msats
}

export interface BalancePoint {
  readonly at: Date
  readonly owed: Msats
  /** Undefined if the provider did not tell. */
  readonly wallet: Msats | undefined
}

/** How an audit ended. */
export interface AuditLine {
  readonly at: Date
  readonly holds: boolean
  /** Whether the provider said what its wallet holds. */
  readonly complete: boolean
}

export interface AlertView {
  readonly id: number
  readonly kind: string
  readonly text: string
  readonly at: Date
}
