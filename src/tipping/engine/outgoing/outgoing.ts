import type { Move } from '../../../ledger/ledger.ts'
import type { Msats } from '../../../lib/money/amount.ts'
import type { PaymentsError } from '../../../payments-api/payments-api.ts'
import type { Tx } from '../../core/database.ts'
import type { Uncertain, UncertainParts } from '../../core/uncertain.ts'
import type { PollJob } from '../../generated/client.ts'
import type { CardBook } from '../cards/card-book.ts'
import type { Next, PollingContext } from '../polling/poller.ts'
import type { OutgoingPaymentsSwitch } from './outgoing-payments-switch.ts'

/** The dependencies of the engine and its kinds. */
export interface OutgoingContext extends PollingContext {
  readonly cards: CardBook
  /** Every kind of operation that is sent to the provider and moves money. */
  readonly outgoingKinds: readonly OutgoingKind[]
  readonly outgoingSwitch: OutgoingPaymentsSwitch
}

/**
 * One engine for everything that is sent to the provider and moves money: payouts, withdrawals, vouchers and
 * redemptions. A kind defines its request, how an answer is read, and its writes (`OutgoingKind`); the order of
 * steps is defined here.
 *
 * ```
 *             reserve           mark                send
 *  (command) ────────► reserved ─────► sending ───────────────► paid       `post`: the money has left
 *                         │               │  └────────────────► failed     `void`: nothing left, all of it is back
 *                         │               │                        ▲  ▲
 *                         └───────────────┼── nothing was sent ────┘  │
 *                                         ▼                           │
 *                                      unknown, open ── poll ─► paid, failed, open, or still unknown
 *                                         └─────────── two operators decide ─► paid, failed; can be corrected later
 * ```
 *
 * - **reserve** moves the sum to `held`, in the transaction of the command. Nothing can have left.
 * - **mark** makes `sending` durable, with the request as it is sent, the provider, whether it is known to replay keys,
 *   and the book's time. That transaction checks again for a pause, and checks for the kind's own obstacles. The worker
 *   that marks an operation sends it.
 * - **send** calls the provider. An answer whose amount differs from the requested one counts as unknown, and operators
 *   are alerted. A failure leads to `failed` only if it proves that nothing happened; otherwise the outcome is unknown,
 *   and the money stays on `held`.
 * - **poll** looks for proof: the provider's record, read by its id, or the answer to the first attempt, replayed for
 *   its key. A refusal of a second attempt proves nothing about the first. No timer turns unknown into failed, except
 *   for operations that nobody can have used (`endedByTime`).
 * - **take over**, at a start and whenever another bot is gone: the sums that the bot had reserved but not marked go
 *   back, and the operations that it had marked become unknown.
 * - **decide**: the decision of two operators counts as proof, and is written like any other outcome.
 *
 * A redemption brings money in: it reserves nothing, it begins as `sending`, and a pause does not stop it. Everything
 * else is the same as for the other kinds.
 */
export interface OutgoingKind<
  Row extends OutgoingRow = OutgoingRow,
  Paid extends object = object,
  Open extends object = object,
  Body extends object = object,
> {
  /** The kind's name. It is also the kind of its polls, and the beginning of its alerts' kind: `payout-unknown`. */
  readonly name: 'payout' | 'withdrawal' | 'voucher' | 'redemption'
  /** Whether money comes in, so that a pause of outgoing payments does not affect it. */
  readonly comesIn?: true
  table(client: Tx): OutgoingTable<Row>

  /** Returns the amount that answers must contain, in msats; undefined if only the answer contains it. */
  amountOf(row: Row): Msats | undefined
  /** Returns the sum that waits on `held` for a row, in msats. */
  reservedOf(row: Row): Msats
  /**
   * Returns the sum on `held` for open operations of this kind, in msats. With a member, counts only that member's
   * operations.
   */
  held(client: Tx, member?: string): Promise<bigint>
  /** Returns the sums in the wallet that this kind's open rows leave uncertain. */
  uncertain(parts: UncertainParts): Promise<Uncertain>

  /** Builds the request, and looks up what the request needs. A PaymentsError from this means that nothing was sent. */
  prepare(context: OutgoingContext, row: Row): Promise<Body> | Body
  /** Returns an obstacle to sending, read in the transaction that marks the row; undefined if there is none. */
  obstacle?(tx: Tx, row: Row): Promise<Failed | undefined>
  /** Returns the request as it was sent; undefined if it is no longer known. */
  storedBody(row: Row): Body | undefined
  /** Sends the request under the row's key. Throws PaymentsError. */
  request(context: OutgoingContext, row: Row, body: Body): Promise<ProviderAnswer<Paid, Open>>
  /** Returns the provider's id for the operation; null if it is not known. */
  remoteIdOf(context: OutgoingContext, row: Row, job: PollJob): Promise<string | null> | string | null
  /** Reads the operation by the provider's id. Throws PaymentsError. */
  read?(context: OutgoingContext, row: Row, remoteId: string): Promise<ProviderAnswer<Paid, Open>>

  /**
   * Refusal codes that a successful first attempt, or the elapsed time, may have caused. They prove nothing even when
   * replayed: a provider that lost the first answer may be replaying its answer to the second.
   */
  readonly dueToTheFirst: readonly string[]
  /** Returns the failure that a refusal proves. Default: `failureOf`. */
  failureOf?(error: PaymentsError): Failed
  /** Returns the failure of an operation that expired before anybody could have used it; undefined for any other. */
  endedByTime?(context: OutgoingContext, row: Row): Failed | undefined

  /** Whether the provider can still report an outcome or an id for a row whose state is not `unknown`. */
  isOpen?(row: Row): boolean
  /** States besides `sending` and `unknown` from which an operation can still end. */
  readonly openStates?: readonly string[]
  /**
   * Whether another bot's poll sends a row if the bot that reserved the row is gone. Without this method, the reserve
   * goes back.
   */
  isResumed?(row: Row): boolean
  /** Returns the writes for a failure; `paid` and `open` return those for the other outcomes. */
  failed(context: OutgoingContext, row: Row, outcome: Failed): OutcomeRecord<Row>
  paid(context: OutgoingContext, row: Row, outcome: Outcome<Paid, Open> & { readonly kind: 'paid' }): OutcomeRecord<Row>
  open?(
    context: OutgoingContext,
    row: Row,
    outcome: Outcome<Paid, Open> & { readonly kind: 'open' },
  ): OutcomeRecord<Row>
  /** Returns the columns that an unknown outcome sets, besides state and reason. */
  unknown?(outcome: Unknown): Partial<Row>
  /**
   * Returns when to poll a paid or open operation; undefined: at the usual pace. Without this method, such an operation
   * is not polled any more.
   */
  nextAfter?(outcome: Outcome<Paid, Open>): Next | undefined

  /** Whether polling can still learn anything after a row's key is too old to be sent again. */
  endures?(row: Row): boolean
  /**
   * Returns the number of milliseconds until the next poll. Default: half of the operation's age, between two seconds
   * and an hour.
   */
  pauseMs?(context: OutgoingContext, row: Row, ageMs: number): number
  /** Returns when the operation should have ended. Operators are alerted an hour later. Default: when it was sent. */
  dueAt?(row: Row): Date
  /**
   * Tells the member, once, that the operation is taking longer than it should. Called after each poll that shows no
   * end.
   */
  tellLate?(context: OutgoingContext, row: Row): Promise<void>
  /** Returns the text that tells operators what is unknown and since when, with all values. */
  inDoubt(row: Row, since: string): string
}

/** The columns that every kind has. */
export interface OutgoingRow {
  readonly id: string
  readonly member: string
  /** The server whose pool pays; null or undefined if the member pays. */
  readonly pool?: string | null
  readonly state: string
  readonly card: string | null
  /** The reason of a failure in the provider's own words; for an unknown outcome, the known facts. */
  readonly reason: string | null
  /** The request's Idempotency-Key. */
  readonly key: string
  /** The base URL and key fingerprint with which the key was used. */
  readonly provider: string | null
  /** Whether the provider was known to replay keys when the operation was sent. */
  readonly replays: boolean
  /** When the operation was sent, in the book's time; null before that. */
  readonly sentAt: Date | null
  /**
   * The process that owns the row while it is `reserved` or `sending`. No other process sends the operation, or records
   * that it was never sent.
   */
  readonly process: string | null
  readonly createdAt: Date
}

/** A kind's table, as far as the engine needs it. */
export interface OutgoingTable<Row> {
  findFirst(query: { where: RowFilter }): Promise<Row | null>
  findMany(query: { where: RowFilter }): Promise<Row[]>
  updateMany(change: { where: RowFilter; data: object }): Promise<{ count: number }>
}

interface RowFilter {
  id?: string
  state?: string | { in: string[] }
  replays?: boolean
  process?: string | null
  OR?: { process: null | { notIn: string[] } }[]
}

/**
 * What a request or poll has shown. Only proof leads to `paid` or `failed`. `open`: the provider has the operation,
 * which has not ended. `unknown`: nobody can say what happened, and the money stays where it is.
 */
export type Outcome<Paid extends object = object, Open extends object = object> =
  | ({ readonly kind: 'paid' } & Paid)
  | ({ readonly kind: 'open' } & Open)
  | Failed
  | Unknown

/**
 * The outcome of an operation that has paid nothing and never will. `reason`: the provider's own words, or an
 * operator's.
 */
export interface Failed {
  readonly kind: 'failed'
  readonly because: FailedBecause
  readonly reason: string | null
}

/**
 * Why an operation failed.
 * - `refused`: the provider refused it. `unreachable`: the provider was not reached. `failed`: it was tried, without
 *   success.
 * - `paused`: payments are paused. `interrupted`: the bot stopped before sending it.
 * - `unlinked`, `called-off`: the member changed their mind meanwhile.
 * - `expired`: nobody used it in time. `never-shown`: nobody could use it, because nobody was shown it.
 * - `wrong`, `over`: the code does not exist, or is no longer valid.
 */
export type FailedBecause =
  | 'refused'
  | 'unreachable'
  | 'failed'
  | 'paused'
  | 'interrupted'
  | 'unlinked'
  | 'called-off'
  | 'expired'
  | 'never-shown'
  | 'wrong'
  | 'over'

export interface Unknown {
  readonly kind: 'unknown'
  /** The known facts, for operators. */
  readonly evidence: string
  /** The provider's id for the operation, if the provider gave one. */
  readonly remoteId?: string | null
}

/** The provider's answer. The engine compares its amount with the requested one. */
export interface ProviderAnswer<Paid extends object = object, Open extends object = object> {
  readonly amount: Msats
  readonly remoteId: string | null
  readonly outcome: Outcome<Paid, Open>
  /**
   * The reason why the answer is about another operation, and so proves nothing; undefined if the answer is about this
   * one.
   */
  readonly unlike?: string | undefined
}

/** The writes that only this outcome needs; the engine adds those that all kinds share. */
export interface OutcomeRecord<Row> {
  /** The moves of a `paid` or `open` outcome. A failure returns the whole reserve. */
  readonly moves?: readonly Move[]
  /** The entry's step. Default: `post`. */
  readonly step?: string
  /** The states that the outcome can follow. Default: those of all sent operations. */
  readonly from?: readonly string[]
  readonly data: Partial<Row>
  /** Whether nothing that people see has changed. */
  readonly untold?: boolean
  /** Further writes in the same transaction. */
  readonly write?: (tx: Tx) => Promise<void>
}
