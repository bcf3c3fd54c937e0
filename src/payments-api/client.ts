import { Agent, type Dispatcher } from 'undici'
import { type Clock, pause } from '../lib/clock.ts'
import { PaymentsError, provesNothingHappened, readErrorShape } from './errors.ts'
import { exchange, NoHttpAnswer, type RawHttpAnswer } from './exchange.ts'
import type { BodyOf, DataOf, Operation, ParamsOf, QueryOf } from './operation.ts'
import { type OperationName, type Operations, operations } from './operations.ts'
import { fingerprint } from './provider.ts'
import { AMOUNT_LIMIT_HEADER } from './refusals.ts'
import { redactBody, redactHeaders, type WireEvent } from './wire-log.ts'

export interface PaymentsClientOptions {
  /** Where the provider is, such as `https://api.example.com`; a path before `/v0` is kept. */
  readonly baseUrl: string
  /** The second host of the interface; `baseUrl` when there is none. */
  readonly altBaseUrl?: string | undefined
  readonly apiKey: string
  readonly clock: Clock
  /** For one attempt, connecting and reading included. */
  readonly timeoutMs?: number
  readonly maxBodyBytes?: number
  /**
   * Whether the provider is known to replay the answer to an Idempotency-Key (see `probeReplay`). Asked before a
   * request is sent and at every failure; unless it says yes each time, no POST is ever sent twice.
   */
  readonly replaysKeys?: () => boolean
  /** Sees everything that goes over the wire, secrets hidden. Must not throw. */
  readonly observe?: (event: WireEvent) => void
  /** Connections of one's own. It must not retry or follow redirects; closing it stays with the maker. */
  readonly dispatcher?: Dispatcher
}

export interface CallOptions {
  /** 1 to 255 visible ASCII characters; the same key for every attempt at the same thing. Only for POST. */
  readonly idempotencyKey?: string | undefined
  /** Not sent again, whatever becomes of it. */
  readonly once?: boolean
}

export interface ApiAnswer<Data> {
  readonly data: Data
  /** The provider's sentence; null where the interface has none. */
  readonly message: string | null
  /** The stored answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean
}

/** What a call takes: path parameters, query and body fields together. */
export type InputOf<Op extends Operation> = ParamsOf<Op> & QueryOf<Op> & BodyOf<Op>

type NoFields = Record<never, never>
type Call<Op extends Operation> =
  NoFields extends InputOf<Op>
    ? (input?: InputOf<Op>, options?: CallOptions) => Promise<ApiAnswer<DataOf<Op>>>
    : (input: InputOf<Op>, options?: CallOptions) => Promise<ApiAnswer<DataOf<Op>>>

/**
 * Every operation as a method: `client.getWallet()`, `client.payToGamertag({ amount, gamertag, description },
 * { idempotencyKey })`. Amounts are `Msats`, times `Date | null`, absent texts null. Whatever the provider or the
 * network does, each throws `PaymentsError` and nothing else.
 */
export type PaymentsClient = { readonly [Name in OperationName]: Call<Operations[Name]> } & {
  /**
   * Names this provider and this key without giving the key away; keys are replayed only where it is the same, and
   * records are read where `providerAddress` of it is.
   */
  readonly provider: string
  close(): Promise<void>
}

const DEFAULT_TIMEOUT_MS = 20_000
const DEFAULT_MAX_BODY_BYTES = 1_048_576
/** Pauses before the second and the third attempt of what may be sent again. */
const RETRY_PAUSES_MS = [250, 1_000]
/** A provider that asks for more patience than this gets no further attempt; the caller is told how long to wait. */
const MAX_PAUSE_MS = 5_000

/** Makes the client of a provider of the payments interface. Close it when done. */
export function createPaymentsClient(options: PaymentsClientOptions): PaymentsClient {
  if (!/^[\x20-\x7e]+$/.test(options.apiKey)) throw new TypeError('the API key is empty or has unprintable characters')
  const base = hostOf(options.baseUrl)
  const session: Session = {
    options,
    hosts: { base, alt: options.altBaseUrl === undefined ? base : hostOf(options.altBaseUrl) },
    // One request at a time on a connection, and HTTP/1.1 only: what is not pipelined is never sent again by itself.
    dispatcher: options.dispatcher ?? new Agent({ pipelining: 1, allowH2: false, connections: 64 }),
    exchanges: 0,
  }
  const calls = Object.values(operations).map((operation) => [
    operation.name,
    (input: object = {}, call: CallOptions = {}) => perform(session, operation, input, call),
  ])
  const client = {
    ...Object.fromEntries(calls),
    provider: fingerprint(session.hosts.base, options.apiKey),
    close: async () => {
      if (options.dispatcher === undefined) await session.dispatcher.close()
    },
  }
  return client as PaymentsClient
}

interface Session {
  readonly options: PaymentsClientOptions
  readonly hosts: { readonly base: Host; readonly alt: Host }
  readonly dispatcher: Dispatcher
  exchanges: number
}

interface Host {
  readonly origin: string
  /** Path before the operations' own, without a slash at the end. */
  readonly prefix: string
}

interface Request {
  readonly operation: Operation
  readonly host: Host
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Record<string, unknown> | undefined
}

/** Sends a request, and again as often as that is harmless; throws the last error, or the most doubtful one. */
async function perform(session: Session, operation: Operation, input: object, call: CallOptions) {
  const request = prepare(session, operation, input, call)
  let doubt: PaymentsError | undefined
  // A provider that learns to replay only after this was sent may know nothing of its key.
  const repeatable = mayRepeat(session, operation, call)
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOnce(session, request)
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error
      if (error.happened === 'maybe' && !operation.idempotent) doubt = error
      const wait = repeatable && mayRepeat(session, operation, call) ? pauseBefore(attempt, error) : undefined
      // A refusal of a later attempt proves nothing about an earlier one, unless it is the earlier one's own answer.
      if (wait === undefined) throw doubt === undefined || error.replayed ? error : doubt
      await pause(session.options.clock, wait)
    }
  }
}

function mayRepeat(session: Session, operation: Operation, call: CallOptions): boolean {
  if (call.once) return false
  if (operation.idempotent) return true
  return operation.verb === 'POST' && call.idempotencyKey !== undefined && session.options.replaysKeys?.() === true
}

/** Milliseconds to wait before attempt number `attempt + 2`; undefined when there should be none. */
function pauseBefore(attempt: number, error: PaymentsError): number | undefined {
  const usual = RETRY_PAUSES_MS[attempt]
  if (usual === undefined || error.shouldRetry === false) return undefined
  const passes = error.kind === 'unreachable' || error.code === 'still_running' || isPassing(error)
  const wait = Math.max(usual, error.retryAfterMs ?? 0)
  return passes && wait <= MAX_PAUSE_MS ? wait : undefined
}

/** What was understood and refused stays refused. Haste, bad luck and a provider in trouble pass. */
function isPassing({ kind, status = 500 }: PaymentsError): boolean {
  return status === 429 || status === 503 || (kind === 'unknown' && status >= 500)
}

function prepare(session: Session, operation: Operation, input: object, call: CallOptions): Request {
  const fields = Object.entries(input).filter(
    ([name, value]) => value !== undefined && !(name in operation.params.shape),
  )
  const host = session.hosts[operation.host]
  const headers: Record<string, string> = { apikey: session.options.apiKey, accept: 'application/json' }
  if (operation.body !== undefined) headers['content-type'] = 'application/json'
  if (call.idempotencyKey !== undefined) {
    if (operation.verb !== 'POST') throw new TypeError(`${operation.name} takes no idempotency key: it is no POST`)
    if (!/^[\x21-\x7e]{1,255}$/.test(call.idempotencyKey)) throw new TypeError('not an idempotency key')
    headers['idempotency-key'] = call.idempotencyKey
  }
  return {
    operation,
    host,
    path: host.prefix + fillPath(operation, input as Record<string, unknown>) + queryOf(operation, fields),
    headers,
    body:
      operation.body === undefined ? undefined : Object.fromEntries(fields.map(([name, v]) => [name, wireValue(v)])),
  }
}

/** Puts the parameters into the path, each as one segment whatever it contains. */
function fillPath(operation: Operation, input: Record<string, unknown>): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name]
    // A dot segment would be resolved on the way, escaped or not, and end up at another operation.
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..' || !value.isWellFormed()) {
      const message = `${name} cannot be part of a path: ${JSON.stringify(value)}`
      throw new PaymentsError({ kind: 'refused', operation: operation.name, code: 'invalid_field', message })
    }
    return encodeURIComponent(value)
  })
}

/** `?limit=10&from=2030-01-01T00%3A00%3A00.000Z`; empty where the operation has no query, or the caller asks for nothing. */
function queryOf(operation: Operation, fields: readonly (readonly [string, unknown])[]): string {
  const { query } = operation
  if (query === undefined) return ''
  const asked = fields.filter(([name]) => name in query.shape)
  const words = asked.map(([name, value]): [string, string] => [
    name,
    value instanceof Date ? value.toISOString() : String(value),
  ])
  return words.length === 0 ? '' : `?${new URLSearchParams(words)}`
}

function wireValue(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

async function attemptOnce(session: Session, request: Request): Promise<ApiAnswer<unknown>> {
  const { clock, observe } = session.options
  const number = ++session.exchanges
  const about = { exchange: number, operation: request.operation.name }
  observe?.({
    kind: 'call',
    ...about,
    method: request.operation.verb,
    url: request.host.origin + request.path,
    headers: redactHeaders(request.headers),
    body: redactBody(request.operation, request.body),
  })
  const start = clock.monotonic()
  try {
    const answer = await send(session, request)
    const body = parseJson(answer.body)
    observe?.({
      kind: 'answer',
      ...about,
      status: answer.status,
      headers: redactHeaders(answer.headers),
      body: body === undefined ? answer.body.slice(0, 200) : redactBody(request.operation, body),
      tookMs: clock.monotonic() - start,
    })
    return readAnswer(request.operation, answer, body, clock)
  } catch (error) {
    if (!(error instanceof NoHttpAnswer)) throw error
    observe?.({ kind: 'no answer', ...about, reason: error.message, tookMs: clock.monotonic() - start })
    const kind = error.sent ? 'unknown' : 'unreachable'
    throw new PaymentsError({ kind, operation: request.operation.name, message: error.message, cause: error.cause })
  }
}

function send(session: Session, request: Request): Promise<RawHttpAnswer> {
  return exchange({
    dispatcher: session.dispatcher,
    clock: session.options.clock,
    method: request.operation.verb,
    origin: request.host.origin,
    path: request.path,
    headers: request.headers,
    body: request.body === undefined ? undefined : JSON.stringify(request.body),
    timeoutMs: session.options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxBodyBytes: session.options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
  })
}

/** Judges a whole HTTP answer: gives what it says, or throws what it proves. */
function readAnswer(operation: Operation, answer: RawHttpAnswer, body: unknown, clock: Clock): ApiAnswer<unknown> {
  const replayed = answer.headers['idempotency-replayed']?.toLowerCase() === 'true'
  const about = { operation: operation.name, status: answer.status, replayed }
  const success = answer.status >= 200 && answer.status < 300
  const shape = readErrorShape(body)
  if (!success || (body as { success?: unknown } | null | undefined)?.success === false) {
    const proven = provesNothingHappened({ status: answer.status, shape })
    throw new PaymentsError({
      ...about,
      kind: proven ? 'refused' : 'unknown',
      message: shape?.message ?? `HTTP ${answer.status} without an error that can be read`,
      code: shape?.code,
      limit: amountLimit(answer.headers[AMOUNT_LIMIT_HEADER]),
      retryAfterMs: retryAfterMs(answer.headers['retry-after'], clock),
      shouldRetry:
        answer.headers['x-should-retry'] === undefined ? undefined : answer.headers['x-should-retry'] !== 'false',
    })
  }
  if (body === undefined) {
    throw new PaymentsError({ ...about, kind: 'unknown', message: `HTTP ${answer.status} with a body that is no JSON` })
  }
  const read = operation.response.read.safeParse(body)
  if (!read.success) {
    const [issue] = read.error.issues
    const message = `the answer's ${issue?.path.join('.') || 'body'} ${issue?.message ?? 'cannot be read'}`
    throw new PaymentsError({ ...about, kind: 'malformed', message, cause: read.error })
  }
  const whole = read.data as { data: unknown; message?: string | null }
  return { data: whole.data, message: whole.message ?? null, replayed }
}

/** Undefined unless it is an amount in msats. */
function amountLimit(header: string | undefined): bigint | undefined {
  return /^[1-9][0-9]{0,18}$/.test(header ?? '') ? BigInt(header ?? '') : undefined
}

/** In milliseconds. Retry-After is either seconds or a date (RFC 9110). */
function retryAfterMs(header: string | undefined, clock: Clock): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(at - clock.now(), 0)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function hostOf(baseUrl: string): Host {
  const url = URL.parse(baseUrl)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.username !== '') {
    throw new TypeError(`not the base URL of a payments provider: ${baseUrl}`)
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') }
}
