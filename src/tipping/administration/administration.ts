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
import type { Pause } from '../engine/outgoing/outgoing-payments-switch.ts'
import type { OperatorPasskeys } from './operator-passkeys.ts'
import type { OperatorSignIns } from './operator-sign-ins.ts'
import type { PoolOverview } from './pools-overview.ts'

/**
 * The operators' actions, the repeated audits of liabilities and holdings, and each member's proof that their balance
 * is counted. The caller decides who is an operator.
 */
export interface TippingAdministration {
  /** Returns the last audit's result, and the operations now under way. */
  status(): Promise<StatusView>
  /** Explains why this process cannot use the book now; undefined if it can. Never throws. */
  whyNotReady(): Promise<string | undefined>
  /** Whether the machine's clock is trusted. While the clock is not trusted, nothing expires. */
  believesClock(): boolean
  /** Returns the state of the wallet's Lightning node; undefined if the provider does not report it. Never throws. */
  node(): Promise<NodeState | undefined>
  /** Returns the operators' overview: running work, pending decisions, and recent findings. */
  overview(): Promise<OperatorsView>
  /** Returns the sums moved in the last thirty days, read at most every five minutes. */
  movement(): Promise<Movement>
  /**
   * Returns the proof that a member's balance is counted. Throws TippingRefusal `balance-not-proven` if the member had
   * no balance when the books were last proven.
   */
  balanceProof(member: string): Promise<BalanceProof>

  /** Returns at most `limit` servers that have sats in a pool, a connected wallet, or active rules or schedules. */
  pools(limit: number): Promise<PoolOverview[]>
  /** Audits now, and stores the findings as scheduled audits do. */
  audit(): Promise<Audit>
  /**
   * Returns at most `limit` payments and vouchers: first those with unknown outcomes, oldest first, then those that
   * operators have decided, the latest decision first.
   */
  unknown(limit: number): Promise<UnknownPayment[]>
  /**
   * Records one operator's decision about a payment whose outcome is unknown. If a second operator decides the same,
   * the decision becomes proof. A decided payment can be decided again, which corrects the books. Throws
   * TippingRefusal.
   */
  decide(command: DecidePayment): Promise<DecisionView>
  /**
   * Records one operator's proposal to book sats that moved without a command. The booking is made if a second operator
   * makes the same proposal within a day. Throws TippingRefusal, also for a booking that the wallet disproves.
   */
  book(command: BookingCommand): Promise<BookingView>
  /** Returns waiting proposals of single operators, oldest first, at most `limit` of each kind. */
  proposals(limit: number): Promise<OpenProposal[]>
  /** Cancels a proposal before it takes effect. Any operator may do so. Throws TippingRefusal `proposal-not-there`. */
  cancel(command: CancelProposal): Promise<void>
  /** Pauses outgoing payments until an operator resumes them. */
  pause(command: { readonly operator: string; readonly reason: string }): Promise<void>
  /** Ends the operators' pause, but not an audit's. Resolves to a pause that remains, if there is one. */
  resume(command: { readonly operator: string }): Promise<Pause | undefined>

  /** Sign-ins to the operators' pages by link and by password. */
  readonly signIns: OperatorSignIns
  /** Sign-ins to the operators' pages by passkey. */
  readonly passkeys: OperatorPasskeys

  /**
   * Alerts operators to the bundled service's own report about its Lightning node. `isGood`: the report says that
   * nothing is wrong.
   */
  tellOfNode(text: string, isGood?: boolean): Promise<void>
  /** Alerts operators to an operator's action that leaves no other trace, such as "downloaded a backup". */
  tellOfOperator(command: { readonly operator: string; readonly did: string }): Promise<void>
  /** Returns alerts that operators have not seen yet, oldest first, at most `limit`. */
  untoldAlerts(limit: number): Promise<AlertView[]>
  alertTold(id: number): Promise<void>
}

export interface StatusView {
  /** The last audit's result; undefined until the first audit has ended. */
  readonly proven: Proven | undefined
  readonly inFlight: InFlight
  /**
   * The pause of outgoing payments with its author (the audit, an operator, a restored backup) and reason; undefined if
   * there is none.
   */
  readonly paused: Pause | undefined
}

/** An audit's result. All amounts are in msats. */
export interface Proven {
  readonly at: Date
  /** Whether the books are proven and the wallet covers them. */
  readonly holds: boolean
  /** The sum of the tree of liabilities: the balances of members, pools and pots, held sums, and suspense. */
  readonly owed: Msats
  /** The balance of the provider's wallet; undefined if the provider did not answer. */
  readonly wallet: Msats | undefined
  /** The balance that the books require; the next two fields are its margin for open payments. */
  readonly expected: Msats
  readonly mayHaveLeft: Msats
  readonly mayHaveArrived: Msats
  /** The sum tree's root, in hexadecimal. */
  readonly root: string
}

export interface InFlight {
  readonly count: number
  readonly oldestSince: Date | undefined
}

export interface OperatorsView {
  readonly status: StatusView
  /** The state of the wallet's Lightning node, as `node()` returns it. */
  readonly node: NodeState | undefined
  /**
   * The planned end of this bot, which is `proposed` by one operator or decided; undefined if no end is planned. `by`:
   * when the bot begins to pay out balances. `dueAt`: when the proposal takes effect by itself; undefined if it needs a
   * second operator.
   */
  readonly ending: { readonly proposed: boolean; readonly by: Date; readonly dueAt: Date | undefined } | undefined
  /** All pauses of outgoing payments, most serious first. */
  readonly pauses: readonly Pause[]
  /** Payments with unknown outcomes, oldest first, at most 20. */
  readonly unknown: readonly UnknownPayment[]
  /** The sum of received sats whose owner is unclear. */
  readonly suspense: Msats
  /** The operator's own sats; a negative amount is what the operator owes the wallet. */
  readonly operator: Msats
  /** The latest audits, newest first, at most 60. */
  readonly audits: readonly AuditLine[]
  /** The latest alerts, newest first, at most 20. */
  readonly alerts: readonly (AlertView & { readonly told: boolean })[]
}

/** The figures for the charts. Amounts are in msats. */
export interface Movement {
  /** The last thirty days (UTC), oldest first. The last day is today. */
  readonly days: readonly DayOfMovement[]
  /** Results of audits in these thirty days, oldest first, at most 120. */
  readonly points: readonly BalancePoint[]
}

export interface DayOfMovement {
  readonly at: Date
  /** The sums that entered (`received`) and left (`sent`) the wallet. */
  readonly received: Msats
  readonly sent: Msats
  /** Sums that members gave to others, to drops and to pools. */
  readonly given: Msats
}

export interface BalancePoint {
  readonly at: Date
  readonly owed: Msats
  /** The wallet's balance; undefined if the provider did not report it. */
  readonly wallet: Msats | undefined
}

/** The result of one audit. */
export interface AuditLine {
  readonly at: Date
  readonly holds: boolean
  /** Whether the provider reported its wallet's balance. */
  readonly complete: boolean
}

export interface AlertView {
  readonly id: number
  readonly kind: string
  readonly text: string
  readonly at: Date
}
