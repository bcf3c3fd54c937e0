import type { LedgerChange } from '../../../ledger/ledger.ts'
import type { BodyOf, HeadersOf, Operation, ParamsOf, QueryOf, WireOf } from '../../../payments-api/payments-api.ts'
import type { Tx } from '../../core/database.ts'
import type { Payment } from '../../generated/client.ts'
import type { ServiceParts } from '../service-parts.ts'

/** The caller: a key, and the project it belongs to. */
export interface Caller {
  readonly projectId: string
  readonly keyId: string
  readonly scopes: ReadonlySet<string>
}

/** A handler's answer: the response as it goes over the wire, without `success`, which is always true. */
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
   * Makes a change durable together with the answer to it, which is thereby replayed for the same Idempotency-Key. For
   * operations whose effect is one transaction: call it once, at the end, and return what it returns. `answer` is a
   * function if it depends on what `change.write` found; it must not throw. Throws what Ledger.commit throws; the
   * errors that mean a refusal are told to the caller as one.
   */
  commit<T>(change: LedgerChange<Tx, T>, answer: AnswerOf<Op> | ((written: T) => AnswerOf<Op>)): Promise<AnswerOf<Op>>
  /**
   * Makes a change durable and binds the Idempotency-Key to a payment, which from then on answers for it. For
   * operations that wait for the node: call it for the hold, before anything is sent. After it, nothing that is thrown
   * is stored as the answer.
   */
  bind<T>(change: LedgerChange<Tx, T>, paymentId: string): Promise<T>
}

export type Handler<Op extends Operation> = (call: Call<Op>) => Promise<AnswerOf<Op>>

/** Answers a repeated request from the payment that its key is bound to, in its present state. */
export type PaymentAnswer<Op extends Operation> = (parts: ServiceParts, paymentId: string) => Promise<AnswerOf<Op>>

/** Such an answer, as the record of the payment alone gives it. */
export function fromRecord<Said>(answer: (payment: Payment) => Said) {
  return async ({ database }: Pick<ServiceParts, 'database'>, id: string): Promise<Said> =>
    answer(await database.read.payment.findUniqueOrThrow({ where: { id } }))
}

/** An operation with what it does. */
export interface Implementation<Op extends Operation = Operation> {
  readonly operation: Op
  readonly handle: Handler<Op>
  readonly answerFromPayment: PaymentAnswer<Op> | undefined
  /** Left out: it answers in JSON alone. */
  readonly csv?: CsvOf<Op>
}

/** The answer of an operation as a table, and what of it is not a row. */
export type CsvOf<Op extends Operation> = (answer: AnswerOf<Op>) => {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Says what a declared operation does. A handler refuses by throwing `ServiceRefusal`; anything else that it throws is a bug,
 * or, before `commit` or `bind`, a database that cannot be read. Operations that `bind` give `answerFromPayment` too.
 */
export function implement<Op extends Operation>(
  operation: Op,
  handle: Handler<Op>,
  { answerFromPayment, csv }: { answerFromPayment?: PaymentAnswer<Op>; csv?: CsvOf<Op> } = {},
): Implementation {
  // A list of implementations forgets which operation each is for; routes.ts hands each what its own declaration read.
  return { operation, handle, answerFromPayment, ...(csv && { csv }) } as unknown as Implementation
}
