import type { LedgerChange } from '../../../ledger/ledger.ts'
import type { BodyOf, HeadersOf, Operation, ParamsOf, QueryOf, WireOf } from '../../../payments-api/payments-api.ts'
import type { Tx } from '../../core/database.ts'
import type { Payment } from '../../generated/client.ts'
import type { ServiceParts } from '../service-parts.ts'

/** A key, and the project to which it belongs. */
export interface Caller {
  readonly projectId: string
  readonly keyId: string
  readonly scopes: ReadonlySet<string>
}

/** A handler's answer: the response as it is sent, without `success`, which is always true. */
export type AnswerOf<Op extends Operation> = Omit<WireOf<Op>, 'success'>

/** One call of an operation: the checked request and its caller. */
export interface Call<Op extends Operation> {
  readonly params: ParamsOf<Op>
  readonly query: QueryOf<Op>
  readonly headers: HeadersOf<Op>
  readonly body: BodyOf<Op>
  readonly caller: Caller
  /** The caller's IP address. */
  readonly ip: string
  readonly parts: ServiceParts
  /**
   * Makes a change durable together with its answer, which is then replayed for the same Idempotency-Key. Use this for
   * operations whose effect is one transaction: call it once, at the end, and return the result. `answer` is a function
   * if it depends on what `change.write` found, and must not throw. Throws what Ledger.commit throws. An error that
   * stands for a refusal reaches the caller as that refusal.
   */
  commit<T>(change: LedgerChange<Tx, T>, answer: AnswerOf<Op> | ((written: T) => AnswerOf<Op>)): Promise<AnswerOf<Op>>
  /**
   * Makes a change durable and binds the Idempotency-Key to a payment, from which every repeated request is then
   * answered. Use it for operations that wait for the node: call it for the hold, before anything is sent. After this
   * call, no thrown error is stored as the key's answer.
   */
  bind<T>(change: LedgerChange<Tx, T>, paymentId: string): Promise<T>
}

export type Handler<Op extends Operation> = (call: Call<Op>) => Promise<AnswerOf<Op>>

/** Answers a repeated request with the present state of the payment to which the request's key is bound. */
export type PaymentAnswer<Op extends Operation> = (parts: ServiceParts, paymentId: string) => Promise<AnswerOf<Op>>

/** Returns a `PaymentAnswer` that needs only the payment's record. */
export function fromRecord<Said>(answer: (payment: Payment) => Said) {
  return async ({ database }: Pick<ServiceParts, 'database'>, id: string): Promise<Said> =>
    answer(await database.read.payment.findUniqueOrThrow({ where: { id } }))
}

/** An operation with its handler. */
export interface Implementation<Op extends Operation = Operation> {
  readonly operation: Op
  readonly handle: Handler<Op>
  readonly answerFromPayment: PaymentAnswer<Op> | undefined
  /** The conversion to CSV; by default, the operation answers in JSON only. */
  readonly csv?: CsvOf<Op>
}

/** Converts an operation's answer to a table, and puts whatever is not a row into headers. */
export type CsvOf<Op extends Operation> = (answer: AnswerOf<Op>) => {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Implements a declared operation. A handler refuses by throwing `ServiceRefusal`. Any other error is a bug, or, before
 * `commit` or `bind`, an unreadable database. Operations that `bind` also provide `answerFromPayment`.
 */
export function implement<Op extends Operation>(
  operation: Op,
  handle: Handler<Op>,
  { answerFromPayment, csv }: { answerFromPayment?: PaymentAnswer<Op>; csv?: CsvOf<Op> } = {},
): Implementation {
  // A list of implementations loses the type of each operation. routes.ts gives each one what its own declaration has
  // read.
  return { operation, handle, answerFromPayment, ...(csv && { csv }) } as unknown as Implementation
}
