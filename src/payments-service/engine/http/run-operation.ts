import type { LedgerChange } from '../../../ledger/ledger.ts'
import { isUnavailable } from '../../../lib/database/database-errors.ts'
import { checkBody, checkHeaders, checkParams, checkQuery, type ErrorBody } from '../../../payments-api/payments-api.ts'
import type { Tx } from '../../core/database.ts'
import { adviceFor, asRefusal, nothingSent, ServiceRefusal, UNREADABLE } from '../../core/service-refusal.ts'
import { refuseDeadEnd } from '../outbox/refuse-dead-end.ts'
import type { ServiceParts } from '../service-parts.ts'
import { type Idempotency, type KeyedRequest, KeyTaken, type StoredAnswer } from './idempotency.ts'
import type { Call, Caller, Implementation } from './operation.ts'

/** A request to an operation, as it arrived over HTTP. */
export interface OperationRequest {
  readonly caller: Caller
  readonly ip: string
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  /** Whether the caller wants a table, if the operation has one. */
  readonly asCsv: boolean
  readonly body: unknown
  readonly idempotencyKey: string | undefined
}

export interface OperationResponse extends StoredAnswer {
  readonly headers: Readonly<Record<string, string>>
}

const CSV_TYPE = 'text/csv; charset=utf-8'

/** Status codes that are never stored as a key's answer, because another attempt may end differently. */
const NEVER_STORED = new Set([401, 403, 413, 429])

/** Runs an operation once for each Idempotency-Key. Throws refusals; final ones are also stored as the key's answer. */
export async function runOperation(
  parts: ServiceParts,
  idempotency: Idempotency,
  implementation: Implementation,
  request: OperationRequest,
): Promise<OperationResponse> {
  const { operation } = implementation
  if (operation.verb !== 'POST' || request.idempotencyKey === undefined) {
    return new OperationRun(parts, implementation, request, undefined).run()
  }
  const keyed = await idempotency.begin({
    projectId: request.caller.projectId,
    key: request.idempotencyKey,
    operation: operation.name,
    body: request.body,
    // A sender uses a reading request's key to learn whether this service still remembers payments' keys, so it must
    // survive a restart.
    inMemory: mayOnlyRead(request.caller),
  })
  try {
    if (keyed.claim.kind !== 'fresh') return await answerFromClaim(parts, implementation, keyed.claim)
    return await new OperationRun(parts, implementation, request, keyed).run()
  } catch (error) {
    if (error instanceof KeyTaken) return await answerFromClaim(parts, implementation, error.claim)
    throw error
  } finally {
    keyed.end()
  }
}

function mayOnlyRead({ scopes }: Caller): boolean {
  return !scopes.has('send') && !scopes.has('receive')
}

/** Repeats an earlier answer; if it is a refusal, adds the advice for its code. */
function replay(answer: StoredAnswer): OperationResponse {
  const advice = answer.status === 200 ? {} : adviceFor((JSON.parse(answer.body) as ErrorBody).code)
  return { ...answer, headers: { 'idempotency-replayed': 'true', ...advice } }
}

function answerFromClaim(
  parts: ServiceParts,
  implementation: Implementation,
  claim: KeyTaken['claim'],
): OperationResponse | Promise<OperationResponse> {
  if (claim.kind === 'answered') return replay(claim.answer)
  return answerFromPayment(parts, implementation, claim.paymentId)
}

async function answerFromPayment(parts: ServiceParts, implementation: Implementation, paymentId: string) {
  const { answerFromPayment, operation } = implementation
  if (answerFromPayment === undefined)
    throw new Error(`${operation.name} binds keys to payments, but has no answer for a payment`)
  return replay({ status: 200, body: write(implementation, await answerFromPayment(parts, paymentId)) })
}

/** One run of a handler, and which part of it became durable. */
class OperationRun {
  readonly #parts: ServiceParts
  readonly #implementation: Implementation
  readonly #request: OperationRequest
  readonly #keyed: KeyedRequest | undefined
  /**
   * Which part of the run is durable. `trying`: a commit was requested, and only its error shows whether anything was
   * stored.
   */
  #progress: 'nothing' | 'trying' | 'answered' | 'bound' = 'nothing'

  constructor(
    parts: ServiceParts,
    implementation: Implementation,
    request: OperationRequest,
    keyed: KeyedRequest | undefined,
  ) {
    this.#parts = parts
    this.#implementation = implementation
    this.#request = request
    this.#keyed = keyed
  }

  async run(): Promise<OperationResponse> {
    try {
      const answer = await this.#implementation.handle(this.#call())
      const { csv } = this.#implementation
      if (csv !== undefined && this.#request.asCsv) {
        const { text, headers } = csv(answer)
        return { status: 200, body: text, headers: { ...headers, 'content-type': CSV_TYPE } }
      }
      const body = write(this.#implementation, answer)
      const stored = { status: 200, body }
      if (this.#keyed !== undefined && this.#progress === 'nothing') await this.#store(stored)
      return { ...stored, headers: {} }
    } catch (error) {
      throw await this.#refuse(error)
    }
  }

  #call(): Call<Implementation['operation']> {
    const { operation } = this.#implementation
    const params = checkParams(operation, this.#request.params)
    if (!params.ok) throw new ServiceRefusal(params.code, params.message)
    const query = checkQuery(operation, this.#request.query)
    if (!query.ok) throw new ServiceRefusal(query.code, query.message)
    const headers = checkHeaders(operation, this.#request.headers)
    if (!headers.ok) throw new ServiceRefusal(headers.code, headers.message)
    const body = checkBody(operation, this.#request.body)
    if (!body.ok) throw new ServiceRefusal(body.code, body.message)
    const { callbackUrl } = body.value as { readonly callbackUrl?: string }
    if (callbackUrl !== undefined) refuseDeadEnd(this.#parts, this.#request.caller.projectId, callbackUrl)
    return {
      params: params.value,
      query: query.value,
      headers: headers.value,
      body: body.value,
      caller: this.#request.caller,
      ip: this.#request.ip,
      parts: this.#parts,
      commit: (change, answer) => this.#commit(change, answer),
      bind: (change, paymentId) => this.#bind(change, paymentId),
    }
  }

  async #commit<T, OperationAnswer extends object>(
    change: LedgerChange<Tx, T>,
    answer: OperationAnswer | ((written: T) => OperationAnswer),
  ): Promise<OperationAnswer> {
    this.#progress = 'trying'
    const result = await (typeof answer === 'function'
      ? this.#commitAndAnswer(change, answer as (written: T) => OperationAnswer)
      : this.#commitWithAnswer(change, answer))
    this.#progress = 'answered'
    return result
  }

  /**
   * Commits a change whose answer is known beforehand, so the answer's row shares statements with neighbouring rows.
   */
  async #commitWithAnswer<T, OperationAnswer extends object>(
    change: LedgerChange<Tx, T>,
    answer: OperationAnswer,
  ): Promise<OperationAnswer> {
    const rows = this.#keyed === undefined ? [] : [this.#answerRow(change, answer)]
    await this.#claiming(() => this.#parts.ledger.commit({ ...change, rows: [...(change.rows ?? []), ...rows] }))
    return answer
  }

  async #commitAndAnswer<T, OperationAnswer extends object>(
    change: LedgerChange<Tx, T>,
    answer: (written: T) => OperationAnswer,
  ): Promise<OperationAnswer> {
    const together: LedgerChange<Tx, OperationAnswer> = {
      ...change,
      write: async (tx) => {
        const result = answer((await change.write?.(tx)) as T)
        if (this.#keyed !== undefined) {
          const { values } = this.#answerRow(change, result)
          await tx.idempotencyKey.create({ data: values as Parameters<Tx['idempotencyKey']['create']>[0]['data'] })
        }
        return result
      },
    }
    return this.#claiming(() => this.#parts.ledger.commit(together))
  }

  #answerRow(change: LedgerChange<Tx, unknown>, answer: object) {
    const body = write(this.#implementation, answer)
    const movedMoney = (change.entries ?? []).length > 0
    return (this.#keyed as KeyedRequest).row({ status: 200, body }, { movedMoney })
  }

  async #bind<T>(change: LedgerChange<Tx, T>, paymentId: string): Promise<T> {
    this.#progress = 'trying'
    const rows = this.#keyed === undefined ? [] : [this.#keyed.boundRow(paymentId)]
    const bound = { ...change, rows: [...(change.rows ?? []), ...rows] }
    const written = await this.#claiming(() => this.#parts.ledger.commit(bound))
    this.#progress = 'bound'
    return written
  }

  /** Returns what the caller is to get for an error. Stores a refusal first if it is the key's final answer. */
  async #refuse(error: unknown): Promise<unknown> {
    const refusal = asRefusal(error) ?? this.#unreadable(error)
    if (refusal === undefined) return error
    const final = refusal.status < 500 && !NEVER_STORED.has(refusal.status)
    const durable = this.#progress === 'answered' || this.#progress === 'bound'
    if (this.#keyed !== undefined && final && !durable) {
      const answer = { status: refusal.status, body: JSON.stringify(refusal.toBody()) }
      await this.#store(answer).catch((failure: unknown) => {
        throw asRefusal(failure) ?? failure
      })
    }
    return refusal
  }

  /**
   * Returns the refusal for a database that failed before any commit, so nothing happened; undefined for other errors.
   */
  #unreadable(error: unknown): ServiceRefusal | undefined {
    const fromDatabase =
      error instanceof Error && /^(PrismaClient(?!Validation)|DriverAdapterError$)/.test(error.constructor.name)
    if (!(fromDatabase || isUnavailable(error)) || this.#progress !== 'nothing') return undefined
    this.#parts.logger.error(
      { err: error, operation: this.#implementation.operation.name },
      'the database was not read',
    )
    return nothingSent(UNREADABLE, error)
  }

  async #store(answer: StoredAnswer): Promise<void> {
    const keyed = this.#keyed as KeyedRequest
    if (keyed.remember !== undefined) return keyed.remember(answer)
    const row = keyed.row(answer, { movedMoney: false })
    await keyed.claiming(() => this.#parts.ledger.commit({ rows: [row] }))
  }

  #claiming<T>(commit: () => Promise<T>): Promise<T> {
    return this.#keyed === undefined ? commit() : this.#keyed.claiming(commit)
  }
}

/** Builds the response as it is sent, with its fields in the interface's order. */
function write({ operation }: Implementation, answer: { message?: unknown; data?: unknown }): string {
  const { message, data } = answer
  const success = operation.response.fields.includes('success')
  return JSON.stringify({ ...(success && { success: true }), message, data })
}
