import type { Msats } from '../../../lib/money/amount.ts'
import type { EndChange } from '../../core/commit-end.ts'
import type { Tx } from '../../core/database.ts'
import type { Decision } from '../../generated/client.ts'
import type { OutgoingContext, OutgoingRow } from './outgoing.ts'

/**
 * Kinds of record that operators may decide. `voucher`: whether a code was made. `revocation`: whether a code was taken
 * back or redeemed. `redemption`: whether the sats of a code have come.
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
  /** The provider's answer, in its own words. */
  readonly evidence: string
  /** The provider's id of it, where it gave one. */
  readonly remoteId: string | undefined
  /** One operator's decision, which waits for a second operator. */
  readonly proposal: ProposedDecision | undefined
  /** The decision of two operators. */
  readonly decided: PaymentOutcome | undefined
}

export interface ProposedDecision {
  readonly outcome: PaymentOutcome
  /** Value of a redeemed code. */
  readonly amount: Msats | undefined
  readonly by: string
  readonly reason: string
  /** When it takes effect without a second operator; undefined: never. */
  readonly dueAt?: Date | undefined
}

/** How two operators decide one kind of thing whose end nobody knows, and how that is put right. */
export interface Decisions<Row extends OutgoingRow = OutgoingRow> {
  readonly name: DecidableKind
  table(client: Tx): DecidableTable<Row>
  /** Where its table holds another kind, too. */
  concerns?(row: Row): boolean
  /** Finds rows that have no end, and may never hear of one. */
  unknown(context: OutgoingContext): object
  /** The same of one that was read. */
  isUnknown(context: OutgoingContext, row: Row): boolean
  /** Its end; undefined while it is open. */
  endOf(row: Row): PaymentOutcome | undefined
  /** The payment certainly left; only its cost is unknown. */
  isPaidForCertain?(row: Row): boolean
  /** Operators say how much came, since nobody here knows. */
  readonly amountIsSaid?: true

  /** Its name before its id, in alerts. */
  readonly noun: string
  /** Each outcome in words, for alerts. */
  readonly said: Readonly<Record<PaymentOutcome, string>>
  /** Details for operators. */
  particulars(row: Row): Pick<UnknownPayment, 'amount' | 'to' | 'since' | 'remoteId'>

  /** Writes a decision about an open row. */
  decided(context: OutgoingContext, row: Row, decision: Decision, reason: string): EndChange

  /** The outcome after which its sats are in the wallet: `failed`, or `paid` for incoming ones. */
  readonly toTheWallet: PaymentOutcome
  /** The wrong end was the operator's own loss: nothing was ever its member's. */
  readonly isOperators?: true
  /** The sum that a wrong decision has misplaced, in msats. */
  misplaced(row: Row, decision: Decision): Msats
  /** The columns of the end that is right. */
  corrected(row: Row, decision: Decision, reason: string): Partial<Row>
}

export interface DecidableTable<Row> {
  findFirst(query: { where: { id: string } }): Promise<Row | null>
  findMany(query: { where: object; orderBy: { createdAt: 'asc' }; take: number }): Promise<Row[]>
  update(change: { where: { id: string; state: string }; data: object }): Promise<unknown>
}
