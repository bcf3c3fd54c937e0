import { z } from 'zod'
import { MAX_MSATS, type Msats, msats } from '../../../lib/money/amount.ts'
import type { OddRecord } from '../backend.ts'
import {
  hex32,
  isOdd,
  MAX_SECONDS,
  msatsText,
  nodeKey,
  orLeftOut,
  type Row,
  readRow,
  wrongFields,
} from '../node-answers.ts'
import type { NodeHttp, NodeRequest, NodeResponse } from '../node-http.ts'

/** A 64-bit integer, which lnd writes as a string (proto3 JSON). */
const integer = z
  .string()
  .regex(/^-?\d{1,19}$/)
  .transform(BigInt)
/** A balance or a fee. If lnd rounds it below zero, it counts as zero. */
const amount = integer
  .refine((value) => value <= MAX_MSATS, 'more than all bitcoin')
  .transform((value): Msats => msats(value < 0n ? 0n : value))
const seconds = integer
  .refine((value) => value >= 0n && value <= BigInt(MAX_SECONDS), 'not a time in seconds')
  .transform((value) => new Date(Number(value) * 1000))
/** 32 bytes in base64, converted to hex. */
const bytes32 = z
  .base64()
  .transform((text) => Buffer.from(text, 'base64').toString('hex'))
  .pipe(hex32)
const amountOfSides = z.object({ msat: amount })

const getInfo = z.object({
  identity_pubkey: nodeKey,
  alias: z.string(),
  chains: z.array(z.object({ network: z.string() })).min(1),
  synced_to_chain: z.boolean(),
  block_height: z.int().nonnegative(),
})

const channelBalance = z.object({
  local_balance: amountOfSides,
  unsettled_local_balance: amountOfSides,
  unsettled_remote_balance: amountOfSides,
})

/** An amount in the list of channels, where lnd reports whole sats. */
const wholeSats = integer.transform((value) => value * 1000n)
const channels = z.object({
  channels: z.array(
    z.object({
      active: z.boolean(),
      initiator: z.boolean(),
      local_balance: wholeSats,
      remote_balance: wholeSats,
      commit_fee: wholeSats,
      local_constraints: z.object({ chan_reserve_sat: wholeSats }),
      remote_constraints: z.object({ chan_reserve_sat: wholeSats }),
    }),
  ),
})

const addInvoice = z.object({ r_hash: bytes32, payment_request: z.string().min(1) })

const invoice = z.object({
  r_hash: bytes32,
  /** The preimage; undefined if lnd leaves it empty, or if it is invalid. */
  r_preimage: orLeftOut(bytes32),
  state: z.enum(['OPEN', 'SETTLED', 'CANCELED', 'ACCEPTED']),
  amt_paid_msat: msatsText,
  settle_date: seconds,
  settle_index: integer,
  add_index: integer,
  is_keysend: z.boolean(),
})

const payment = z.object({
  status: z.enum(['UNKNOWN', 'INITIATED', 'IN_FLIGHT', 'SUCCEEDED', 'FAILED']),
  payment_hash: hex32,
  payment_preimage: z.string().transform((text) => text.toLowerCase()),
  fee_msat: amount,
  failure_reason: z.string(),
})

const sentPayment = z.object({
  payment_hash: hex32,
  value_msat: amount,
  fee_msat: amount,
  creation_time_ns: integer,
})

/** The fields that show, even in an otherwise unreadable invoice, whether the invoice was paid, and its index. */
const paidAt = z.object({ state: z.literal('SETTLED'), settle_index: orLeftOut(integer) })

export type LndInfo = z.output<typeof getInfo>
export type LndInvoice = z.output<typeof invoice>
/** A paid invoice, in a list or stream, that cannot be read. */
export type OddLndInvoice = OddRecord & { readonly settleIndex: bigint | undefined }
export type LndPayment = z.output<typeof payment>
export type LndChannels = z.output<typeof channels>['channels']

/** An error in lnd's own JSON, which shows that lnd has read the request and answered. `code` is a gRPC status code. */
export class LndError extends Error {
  override readonly name = 'LndError'
  readonly code: number

  constructor(what: string, code: number, message: string) {
    super(`${what}: ${message} (code ${code})`)
    this.code = code
  }
}

/** The error of an unreadable answer, which may not come from lnd. Such an answer proves nothing. */
export class LndUnreadable extends Error {
  override readonly name = 'LndUnreadable'
}

export const NOT_FOUND = 5
export const ALREADY_EXISTS = 6

/** A payment's arguments, with amounts in msats. */
export interface LndSend {
  readonly payment_request?: string
  readonly dest?: string
  readonly payment_hash?: string
  readonly amt_msat?: string
  /** The fee limit, always present because lnd treats a missing limit as zero. */
  readonly fee_limit_msat: string
  readonly timeout_seconds: number
  readonly dest_custom_records?: Readonly<Record<string, string>>
  readonly dest_features?: readonly number[]
}

export interface Limits {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

const ANSWER: Limits = { timeoutMs: 10_000 }
/** The maximum number of invoices in a page. */
const PAGE = 1_000

/**
 * lnd's REST interface (lightning.engineering/api-docs/api/lnd), as of v0.21. Every method throws LndError for a
 * refusal, LndUnreadable for an unreadable answer, and FetchFailed (lib/http/outgoing-error.ts) if no whole answer
 * came.
 */
export class LndApi {
  readonly #http: NodeHttp
  readonly #headers: Readonly<Record<string, string>>

  constructor(http: NodeHttp, macaroon: string) {
    this.#http = http
    this.#headers = { 'grpc-metadata-macaroon': macaroon, 'content-type': 'application/json' }
  }

  getInfo(limits: Limits = ANSWER): Promise<LndInfo> {
    return this.#ask(getInfo, 'GET', '/v1/getinfo', undefined, limits)
  }

  channelBalance() {
    return this.#ask(channelBalance, 'GET', '/v1/balance/channels')
  }

  async listChannels(): Promise<LndChannels> {
    return (await this.#ask(channels, 'GET', '/v1/channels')).channels
  }

  addInvoice(body: object) {
    return this.#ask(addInvoice, 'POST', '/v1/invoices', body)
  }

  /** Looks up an invoice by its payment hash in hex, an encoding that only this path requires. */
  lookUpInvoice(paymentHash: string): Promise<LndInvoice> {
    return this.#ask(invoice, 'GET', `/v1/invoice/${paymentHash}`)
  }

  cancelInvoice(paymentHash: string) {
    const body = { payment_hash: Buffer.from(paymentHash, 'hex').toString('base64') }
    return this.#ask(z.object({}), 'POST', '/v2/invoices/cancel', body)
  }

  /**
   * Yields all invoices in the order of their creation, a page at a time. Includes unreadable ones only if they were
   * paid.
   */
  async *listInvoices(): AsyncGenerator<LndInvoice | OddLndInvoice> {
    const page = z.object({ invoices: z.array(z.unknown()), last_index_offset: integer })
    for (let offset = 0n; ; ) {
      const path = `/v1/invoices?index_offset=${offset}&num_max_invoices=${PAGE}`
      const { invoices, last_index_offset } = await this.#ask(page, 'GET', path)
      for (const row of invoices) yield* invoiceOf('/v1/invoices', row)
      if (invoices.length === 0 || last_index_offset <= offset) return
      offset = last_index_offset
    }
  }

  /**
   * Yields settlements after an index, then each new one. Also yields other invoice events, except unreadable ones.
   * Ends when lnd ends the stream.
   */
  async *subscribeInvoices(settleIndex: bigint, limits: Limits): AsyncGenerator<LndInvoice | OddLndInvoice> {
    const path = `/v1/invoices/subscribe?settle_index=${settleIndex}`
    for await (const line of this.#http.lines(this.#request('GET', path, undefined, limits))) {
      yield* invoiceOf('subscribe', readLine('subscribe', line, z.unknown()))
    }
  }

  /** Sends a payment, and returns the last state of the payment that lnd reports before the end of the answer. */
  async sendPayment(body: LndSend, limits: Limits): Promise<LndPayment> {
    const request = this.#request('POST', '/v2/router/send', { ...body, no_inflight_updates: true }, limits)
    let last: LndPayment | undefined
    for await (const line of this.#http.lines(request)) last = readLine('send', line, payment)
    if (last === undefined) throw new LndUnreadable('send: the answer contained no state of the payment')
    return last
  }

  /** Yields each state of a payment, the present one first, until the payment ends or `limits` are reached. */
  async *trackPayment(paymentHash: string, limits: Limits): AsyncGenerator<LndPayment> {
    // base64url with padding. Without it lnd answers "illegal base64 data".
    const hash = Buffer.from(paymentHash, 'hex').toString('base64url').padEnd(44, '=')
    for await (const line of this.#http.lines(this.#request('GET', `/v2/router/track/${hash}`, undefined, limits))) {
      yield readLine('track', line, payment)
    }
  }

  /** Resolves to whether the macaroon permits this lnd method, by the method's name or by entity and action. */
  async permits(right: { entity: string; action: string }, method: string, limits: Limits): Promise<boolean> {
    const macaroon = Buffer.from(this.#headers['grpc-metadata-macaroon'] ?? '', 'hex').toString('base64')
    const body = { macaroon, permissions: [right], fullMethod: method }
    const shape = z.object({ valid: z.boolean() })
    return (await this.#ask(shape, 'POST', '/v1/macaroon/checkpermissions', body, limits)).valid
  }

  /** Returns the newest payments that were sent and arrived. */
  async sentPayments(most: number): Promise<Row<z.output<typeof sentPayment>>[]> {
    const path = `/v1/payments?include_incomplete=false&reversed=true&max_payments=${most}`
    const { payments } = await this.#ask(z.object({ payments: z.array(z.unknown()) }), 'GET', path)
    return payments.map((row) => readRow('/v1/payments', row, sentPayment))
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  #request(method: 'GET' | 'POST', path: string, body: object | undefined, limits: Limits): NodeRequest {
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    return { method, path, headers: this.#headers, ...text, ...limits }
  }

  async #ask<Output>(
    shape: z.ZodType<Output>,
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    limits: Limits = ANSWER,
  ): Promise<Output> {
    const answer = await this.#http.ask(this.#request(method, path, body, limits))
    const what = path.replace(/[?].*/, '')
    return read(what, answer, shape)
  }
}

function invoiceOf(what: string, row: unknown): (LndInvoice | OddLndInvoice)[] {
  const one = readRow(what, row, invoice)
  if (!isOdd(one)) return [one.read]
  const paid = paidAt.safeParse(row)
  return paid.success ? [{ ...one, settleIndex: paid.data.settle_index }] : []
}

const errorShape = z.object({ code: z.int(), message: z.string() })
const lineShape = z.union([z.object({ result: z.unknown() }), z.object({ error: errorShape })])

/** Parses a line of a stream: `{"result": …}`, or `{"error": …}` with the HTTP status of a refusal or of success. */
function readLine<Output>(what: string, { status, body }: NodeResponse, shape: z.ZodType<Output>): Output {
  const line = lineShape.safeParse(parse(body))
  if (!line.success) return read(what, { status, body }, shape)
  if ('error' in line.data) throw new LndError(what, line.data.error.code, line.data.error.message)
  return checked(what, line.data.result, shape)
}

function read<Output>(what: string, { status, body }: NodeResponse, shape: z.ZodType<Output>): Output {
  const json = parse(body)
  if (status === 200) return checked(what, json, shape)
  const error = errorShape.safeParse(json)
  if (error.success) throw new LndError(what, error.data.code, error.data.message)
  throw new LndUnreadable(`${what}: HTTP ${status} without an error of lnd`)
}

function checked<Output>(what: string, json: unknown, shape: z.ZodType<Output>): Output {
  const answer = shape.safeParse(json)
  if (answer.success) return answer.data
  throw new LndUnreadable(`${what}: the answer is not as documented: ${wrongFields(answer.error)}`)
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
