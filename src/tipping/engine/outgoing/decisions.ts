import type { Msats } from '../../../lib/money/amount.ts'
import type { EndChange } from '../../core/commit-end.ts'
import type { Tx } from '../../core/database.ts'
import type { Decision } from '../../generated/client.ts'
import type { OutgoingContext, OutgoingRow } from './outgoing.ts'

/**
 * The kinds of record about which operators can decide. `voucher`: whether a code was made. `revocation`: whether a
 * code was taken back or redeemed. `redemption`: whether a code's sats have arrived.
 */
export type DecidableKind = 'payout' | 'withdrawal' | 'voucher' | 'revocation' | 'redemption'

/** The outcome of a payment. For a revocation, `failed` means that the voucher was taken back. */
export type PaymentOutcome = 'paid' | 'failed'

export interface UnknownPayment {
  readonly kind: DecidableKind
  readonly id: string
  readonly member: string
  /** The amount of the payment; undefined for a redeemed code, because only the provider knows its value. */
  readonly amount: Msats | undefined
  /** The destination: a Lightning account, address or invoice; empty for a voucher. */
  readonly to: string
  readonly since: Date
  /** What is known about the outcome, such as the provider's answer in its own words. */
  readonly evidence: string
  /** The provider's id for the payment, if the provider gave one. */
  readonly remoteId: string | undefined
  /** One operator's decision that waits for a second operator. */
  readonly proposal: ProposedDecision | undefined
  /** The decision of two operators. */
  readonly decided: PaymentOutcome | undefined
}

export interface ProposedDecision {
  readonly outcome: PaymentOutcome
  /** The value of a redeemed code. */
  readonly amount: Msats | undefined
  readonly by: string
  readonly reason: string
  /** When the decision takes effect without a second operator; undefined if it never does. */
  readonly dueAt?: Date | undefined
}

/**
 * Defines how two operators decide one kind of operation whose outcome is unknown, and how a wrong decision is
 * corrected.
 */
export interface Decisions<Row extends OutgoingRow = OutgoingRow> {
  readonly name: DecidableKind
  table(client: Tx): DecidableTable<Row>
  /** Whether a row is of this kind, for a table that also holds another kind. */
  concerns?(row: Row): boolean
  /** Returns the condition for rows that have no outcome, and may never get one. */
  unknown(context: OutgoingContext): object
  /** Whether a row that was read meets the condition of `unknown`. */
  isUnknown(context: OutgoingContext, row: Row): boolean
  /** Returns a row's outcome; undefined while the row is open. */
  endOf(row: Row): PaymentOutcome | undefined
  /** Whether the payment certainly left, so that only its fee is unknown. */
  isPaidForCertain?(row: Row): boolean
  /** Whether operators must state the amount that arrived, because it is not in the book. */
  readonly amountIsSaid?: true

  /** The noun that precedes a row's id in alerts. */
  readonly noun: string
  /** Each outcome as text, for alerts. */
  readonly said: Readonly<Record<PaymentOutcome, string>>
  /** Returns details of a row for operators. */
  particulars(row: Row): Pick<UnknownPayment, 'amount' | 'to' | 'since' | 'remoteId'>

  /** Returns the change that writes a decision about an open row. */
  decided(context: OutgoingContext, row: Row, decision: Decision, reason: string): EndChange

  /** The outcome that leaves a row's sats in the wallet: `failed`, or `paid` for incoming sats. */
  readonly toTheWallet: PaymentOutcome
  /** Whether a wrong decision costs only the operator, because the sats never belonged to a member. */
  readonly isOperators?: true
  /** Returns the sum that a wrong decision misplaced, in msats. */
  misplaced(row: Row, decision: Decision): Msats
  /** Returns the columns of the correct outcome. */
  corrected(row: Row, decision: Decision, reason: string): Partial<Row>
  /** Logs the sats that a correction gave back to a pool. Called after the columns of the correction were written. */
  logReturn?(context: OutgoingContext, tx: Tx, row: Row): Promise<void>
}

export interface DecidableTable<Row> {
  findFirst(query: { where: { id: string } }): Promise<Row | null>
  findMany(query: { where: object; orderBy: { createdAt: 'asc' }; take: number }): Promise<Row[]>
  update(change: { where: { id: string; state: string }; data: object }): Promise<unknown>
}
