import { z } from 'zod'
import type { Msats } from '../../../lib/money/amount.ts'
import type { OddRecord } from '../backend.ts'
import {
  hex32,
  isOdd,
  MAX_SECONDS,
  msatsNumber,
  nodeKey,
  orLeftOut,
  readRow,
  satsNumber,
  toldPreimage,
  wrongFields,
} from '../node-answers.ts'
import type { NodeHttp } from '../node-http.ts'

/** A time in milliseconds since 1970, up to the year 9999. */
const time = z
  .int()
  .nonnegative()
  .max(MAX_SECONDS * 1_000)

const nodeInfo = z.object({
  nodeId: nodeKey,
  chain: z.string(),
  blockHeight: z.int().optional(),
  version: z.string(),
  channels: z.array(z.object({ state: z.string() })),
})

const balance = z.object({ balanceSat: satsNumber, feeCreditSat: satsNumber })

const createdInvoice = z.object({ paymentHash: hex32, serialized: z.string() })

const incoming = z.object({
  paymentHash: hex32,
  preimage: toldPreimage,
  isPaid: z.boolean(),
  /** The amount that arrived after the fees for liquidity. */
  receivedSat: satsNumber,
  completedAt: orLeftOut(time),
  expiresAt: orLeftOut(time),
  createdAt: time,
})

/**
 * An outgoing payment. No field shows whether the payment failed, but an unpaid payment with a completion time has
 * failed.
 */
const outgoing = z.object({
  paymentHash: hex32.optional(),
  preimage: toldPreimage,
  isPaid: z.boolean(),
  fees: orLeftOut(msatsNumber),
  completedAt: time.optional(),
})

const sentPayment = z.object({ paymentHash: hex32, sent: satsNumber, createdAt: time })

/** Returns false for an on-chain payment. The lists also contain such payments, which have no payment hash. */
function isOfLightning(row: unknown): boolean {
  return typeof row !== 'object' || row === null || ('paymentHash' in row && row.paymentHash !== null)
}

/** The answer to `payinvoice`. Not every release states the type of the answer, but the fields show it. */
const payment = z.union([
  z.object({ paymentHash: hex32, paymentPreimage: z.string().transform((text) => text.toLowerCase()) }),
  z.object({ reason: z.string(), paymentPreimage: z.undefined().optional() }),
])

export type IncomingPayment = z.output<typeof incoming>
export type OutgoingPayment = z.output<typeof outgoing>

/** The error of a request that phoenixd refused. phoenixd's errors are plain text. */
export class PhoenixdError extends Error {
  override readonly name = 'PhoenixdError'
  readonly status: number

  constructor(path: string, status: number, text: string) {
    super(`${path}: HTTP ${status}: ${text.slice(0, 200)}`)
    this.status = status
  }
}

/** The error of an unreadable answer, which may not come from phoenixd. Such an answer proves nothing. */
export class PhoenixdUnreadable extends Error {
  override readonly name = 'PhoenixdUnreadable'
}

const ANSWER_TIMEOUT_MS = 10_000
const PAGE_SIZE = 100
const NOT_FOUND = 404

/**
 * phoenixd's HTTP API (phoenix.acinq.co/server/api, checked against the sources of v0.8.0). Requests are forms, answers
 * are JSON without null fields, and errors are text. Amounts are whole sats, except the fees of payments, which are
 * msats.
 */
export class PhoenixdApi {
  readonly #http: NodeHttp
  /** The header that authenticates the caller. */
  readonly authorization: string

  constructor(http: NodeHttp, password: string) {
    this.#http = http
    // phoenixd accepts any user name.
    this.authorization = `Basic ${Buffer.from(`satchel:${password}`).toString('base64')}`
  }

  /**
   * Returns the node's state. Like every method, throws PhoenixdError for a refusal, PhoenixdUnreadable for an
   * unreadable answer, and what the HTTP client throws.
   */
  getInfo(timeoutMs = ANSWER_TIMEOUT_MS) {
    return this.#get('/getinfo', nodeInfo, timeoutMs)
  }

  getBalance() {
    return this.#get('/getbalance', balance)
  }

  createInvoice(request: {
    readonly amount: Msats | undefined
    readonly description: { readonly text: string } | { readonly hash: string }
    readonly expiresInSeconds: number
  }) {
    const { amount, description } = request
    const form = new URLSearchParams({ expirySeconds: `${request.expiresInSeconds}` })
    if (amount !== undefined) form.set('amountSat', `${amount / 1_000n}`)
    if ('hash' in description) form.set('descriptionHash', description.hash)
    else form.set('description', description.text)
    return this.#post('/createinvoice', form, createdInvoice, ANSWER_TIMEOUT_MS)
  }

  /** Returns an invoice that phoenixd made; undefined if phoenixd has never made one with this hash. */
  incoming(paymentHash: string): Promise<IncomingPayment | undefined> {
    return orNotFound(this.#get(`/payments/incoming/${paymentHash}`, incoming))
  }

  /** Returns all payments that were received since a time, unsorted. */
  async received(fromMs: number): Promise<(IncomingPayment | OddRecord)[]> {
    const found: (IncomingPayment | OddRecord)[] = []
    for (let offset = 0; ; offset += PAGE_SIZE) {
      const path = `/payments/incoming?from=${fromMs}&limit=${PAGE_SIZE}&offset=${offset}`
      const page = await this.#get(path, z.array(z.unknown()))
      for (const row of page.filter(isOfLightning)) {
        const one = readRow('/payments/incoming', row, incoming)
        found.push(isOdd(one) ? one : one.read)
      }
      if (page.length < PAGE_SIZE) return found
    }
  }

  /**
   * Returns the best of all attempts to pay a hash: one that was paid, else one under way, else one that failed;
   * undefined if there is none.
   */
  outgoing(paymentHash: string, timeoutMs = ANSWER_TIMEOUT_MS): Promise<OutgoingPayment | undefined> {
    return orNotFound(this.#get(`/payments/outgoingbyhash/${paymentHash}`, outgoing, timeoutMs))
  }

  /** Returns the newest outgoing payments that arrived. The amount `sent` includes the fees. */
  async sent(most: number) {
    const page = await this.#get(`/payments/outgoing?limit=${most}`, z.array(z.unknown()))
    return page.filter(isOfLightning).map((row) => readRow('/payments/outgoing', row, sentPayment))
  }

  /** Pays an invoice, and resolves only after the payment has ended. `amount` is only for an invoice without one. */
  payInvoice(invoice: string, amount: Msats | undefined, timeoutMs: number) {
    const form = new URLSearchParams({ invoice })
    if (amount !== undefined) form.set('amountSat', `${amount / 1_000n}`)
    return this.#post('/payinvoice', form, payment, timeoutMs)
  }

  /**
   * Resolves to whether the password may send. Sends a request to pay without an invoice, which phoenixd refuses
   * because of either the password or the missing invoice.
   */
  async maySend(timeoutMs: number): Promise<boolean> {
    try {
      await this.#post('/payinvoice', new URLSearchParams(), z.unknown(), timeoutMs)
      return true
    } catch (error) {
      if (!(error instanceof PhoenixdError)) throw error
      return error.status !== 401 && error.status !== 403
    }
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  #get<Schema extends z.ZodType>(path: string, schema: Schema, timeoutMs = ANSWER_TIMEOUT_MS) {
    return this.#ask({ method: 'GET', path, timeoutMs }, schema)
  }

  #post<Schema extends z.ZodType>(path: string, form: URLSearchParams, schema: Schema, timeoutMs: number) {
    return this.#ask({ method: 'POST', path, body: form.toString(), timeoutMs }, schema)
  }

  async #ask<Schema extends z.ZodType>(
    request: { method: 'GET' | 'POST'; path: string; body?: string; timeoutMs: number },
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const headers = { authorization: this.authorization, 'content-type': 'application/x-www-form-urlencoded' }
    const { status, body } = await this.#http.ask({ ...request, headers })
    const [path = ''] = request.path.split('?')
    if (status !== 200) throw new PhoenixdError(path, status, body)
    const answer = schema.safeParse(parse(body))
    if (answer.success) return answer.data
    throw new PhoenixdUnreadable(`${path}: the answer is not as documented: ${wrongFields(answer.error)}`)
  }
}

/**
 * Resolves to undefined for an unknown payment, which phoenixd reports as "Not found". Throws for "Unknown endpoint",
 * which means that the path does not exist.
 */
async function orNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof PhoenixdError && error.status === NOT_FOUND && !/endpoint|<html/i.test(error.message)) {
      return undefined
    }
    throw error
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
