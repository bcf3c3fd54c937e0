import {
  NoHttpAnswer,
  PaymentsError,
  type ProvingCodes,
  provesNothingHappened,
  type RawHttpAnswer,
  readErrorShape,
} from './outcomes.ts'

/** The facts about an operation that a call needs. */
export interface OperationFacts {
  readonly name: string
  readonly verb: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path, with its parameters in braces. */
  readonly path: string
  /** The host that serves the operation. Three operations of the payments interface are on a second host. */
  readonly host: 'base' | 'alt'
  /** Whether sending it twice has the same effect as sending it once. */
  readonly idempotent: boolean
}

/** An operation's facts, with the parts of its request. */
export interface PreparedOperation {
  readonly facts: OperationFacts
  /** The names of the query parameters. */
  readonly query: readonly string[]
  /** The names of the fields that are sent as headers of the same name. */
  readonly headers?: readonly string[]
  readonly hasBody: boolean
}

export interface CallOptions {
  /** 1 to 255 visible ASCII characters, the same at every attempt to do the same thing. Only for POST. */
  readonly idempotencyKey?: string | undefined
  /** Whether the request is never repeated, however it ends. */
  readonly once?: boolean
}

export interface ApiAnswer<Data> {
  readonly data: Data
  /** The provider's sentence; null if the interface has none. */
  readonly message: string | null
  /** Whether this is the stored answer to an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean
}

/** One request as it is sent. */
export interface OutgoingCall {
  readonly operation: string
  readonly method: OperationFacts['verb']
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>> | undefined
}

export interface Host {
  readonly origin: string
  /** The path before each operation's own path, without a slash at its end. */
  readonly prefix: string
}

/** The content of a successful answer, or why it cannot be read. */
export type Reading =
  | { readonly data: unknown; readonly message: string | null }
  | { readonly problem: string; readonly cause?: unknown }

/** Where and how calls are sent. */
export interface Line {
  readonly hosts: { readonly base: Host; readonly alt: Host }
  /** The headers that authorize each request. */
  readonly authorization: Readonly<Record<string, string>>
  readonly provingCodes: ProvingCodes
  /** Performs one exchange. Throws only `NoHttpAnswer`. Never repeats a request or follows a redirect. */
  readonly send: (call: OutgoingCall) => Promise<RawHttpAnswer>
  /** Reads the JSON body of a success. */
  readonly read: (operation: string, body: unknown) => Reading
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  readonly pause: (milliseconds: number) => Promise<void>
  /** Whether the provider is known to replay the answer to an Idempotency-Key. If not, no POST is sent twice. */
  readonly replaysKeys: () => boolean
}

/** The pauses before the second and the third attempt of a request that may be repeated. */
const RETRY_PAUSES_MS = [250, 1_000]
/** A provider that asks for a longer pause gets no further attempt; the error says how long to wait. */
const MAX_PAUSE_MS = 5_000

/**
 * Sends a request, and repeats it if that is harmless. Throws the last error, or an earlier error after which the
 * request may have been carried out.
 */
export async function perform(
  line: Line,
  operation: PreparedOperation,
  input: object,
  call: CallOptions,
): Promise<ApiAnswer<unknown>> {
  const { facts } = operation
  const request = prepare(line, operation, input, call)
  let doubt: PaymentsError | undefined
  // If only a later answer shows that the provider replays keys, it may not have stored this key.
  const repeatable = mayRepeat(line, facts, call)
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOnce(line, request)
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error
      if (error.happened === 'maybe' && !facts.idempotent) doubt = error
      const wait = repeatable && mayRepeat(line, facts, call) ? pauseBefore(attempt, error) : undefined
      // A refusal proves nothing about an earlier attempt, unless it is the replayed answer to that attempt.
      if (wait === undefined) throw doubt === undefined || error.replayed ? error : doubt
      await line.pause(wait)
    }
  }
}

/**
 * Reads the address of a provider, such as `https://api.example.com`, which may have a path. Throws TypeError for any
 * other text.
 */
export function hostOf(baseUrl: string): Host {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.username !== '') {
    throw new TypeError(`not a base URL such as https://pay.example.com, without a query or a user name: ${baseUrl}`)
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') }
}

function mayRepeat(line: Line, facts: OperationFacts, call: CallOptions): boolean {
  if (call.once) return false
  if (facts.idempotent) return true
  return facts.verb === 'POST' && call.idempotencyKey !== undefined && line.replaysKeys()
}

/** Returns the milliseconds to wait before attempt number `attempt + 2`; undefined if there must be no such attempt. */
function pauseBefore(attempt: number, error: PaymentsError): number | undefined {
  const usual = RETRY_PAUSES_MS[attempt]
  if (usual === undefined || error.shouldRetry === false) return undefined
  const passes = error.kind === 'unreachable' || error.code === 'still_running' || isPassing(error)
  const wait = Math.max(usual, error.retryAfterMs ?? 0)
  return passes && wait <= MAX_PAUSE_MS ? wait : undefined
}

/**
 * Whether another attempt may succeed: rate limits, lost answers and provider errors pass, but a request that was
 * understood and refused is not repeated.
 */
function isPassing({ kind, status = 500 }: PaymentsError): boolean {
  return status === 429 || status === 503 || (kind === 'unknown' && status >= 500)
}

/**
 * Prepares the request of a call. Throws PaymentsError for a parameter that cannot be part of a path, and TypeError for
 * a wrong key.
 */
export function prepare(
  { hosts, authorization }: Pick<Line, 'hosts' | 'authorization'>,
  { facts, query, headers: inHeaders = [], hasBody }: PreparedOperation,
  input: object,
  call: CallOptions,
): OutgoingCall {
  const host = hosts[facts.host]
  const headers: Record<string, string> = { ...authorization, accept: 'application/json' }
  if (hasBody) headers['content-type'] = 'application/json'
  if (call.idempotencyKey !== undefined) {
    if (facts.verb !== 'POST') throw new TypeError(`${facts.name} takes no idempotency key: it is no POST`)
    if (!/^[\x21-\x7e]{1,255}$/.test(call.idempotencyKey)) throw new TypeError('not an idempotency key')
    headers['idempotency-key'] = call.idempotencyKey
  }
  const inPath = new Set([...facts.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const given = Object.entries(input).filter(([name, value]) => value !== undefined && !inPath.has(name))
  const fields = given.filter(([name]) => !inHeaders.includes(name))
  for (const [name, value] of given) if (inHeaders.includes(name)) headers[name] = String(value)
  return {
    operation: facts.name,
    method: facts.verb,
    origin: host.origin,
    path: host.prefix + fillPath(facts, input as Record<string, unknown>) + queryOf(query, fields),
    headers,
    body: hasBody ? Object.fromEntries(fields.map(([name, value]) => [name, wireValue(value)])) : undefined,
  }
}

/** Puts the parameters into the path, each as one segment, whatever it contains. */
function fillPath({ name: operation, path }: OperationFacts, input: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name]
    // A dot segment, escaped or not, would be resolved on the way and reach another operation.
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..' || !isWellFormed(value)) {
      const message = `${name} cannot be part of a path: ${JSON.stringify(value)}`
      throw new PaymentsError({ kind: 'refused', operation, code: 'invalid_field', message })
    }
    return encodeURIComponent(value)
  })
}

/** Whether a text contains no half of a surrogate pair, which no address can contain. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

/**
 * Returns `?limit=10&from=2030-01-01T00%3A00%3A00.000Z`, or nothing if the operation has no query or the caller
 * requests nothing.
 */
function queryOf(query: readonly string[], fields: readonly (readonly [string, unknown])[]): string {
  const asked = fields.filter(([name]) => query.includes(name))
  const words = asked.map(([name, value]): [string, string] => [
    name,
    value instanceof Date ? value.toISOString() : String(value),
  ])
  return words.length === 0 ? '' : `?${new URLSearchParams(words)}`
}

function wireValue(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

async function attemptOnce(line: Line, call: OutgoingCall): Promise<ApiAnswer<unknown>> {
  try {
    return readAnswer(line, call.operation, await line.send(call))
  } catch (error) {
    if (!(error instanceof NoHttpAnswer)) throw error
    const kind = error.sent ? 'unknown' : 'unreachable'
    throw new PaymentsError({ kind, operation: call.operation, message: error.message, cause: error.cause })
  }
}

/** Judges a complete HTTP answer. Returns its content, or throws a PaymentsError with what the answer proves. */
function readAnswer(line: Line, operation: string, answer: RawHttpAnswer): ApiAnswer<unknown> {
  const body = parseJson(answer.body)
  const replayed = answer.headers['idempotency-replayed']?.toLowerCase() === 'true'
  const success = answer.status >= 200 && answer.status < 300
  if (!success || (body as { success?: unknown } | null | undefined)?.success === false) {
    throw refusalOf(line, operation, answer, body)
  }
  const about = { operation, status: answer.status, replayed }
  if (body === undefined) {
    throw new PaymentsError({
      ...about,
      kind: 'unknown',
      message: `HTTP ${answer.status} with a body that is not JSON`,
    })
  }
  const reading = line.read(operation, body)
  if (!('problem' in reading)) return { ...reading, replayed }
  throw new PaymentsError({ ...about, kind: 'malformed', message: reading.problem, cause: reading.cause })
}

/** Returns the error that an unsuccessful answer proves. `body` is its parsed JSON, if it has any. */
export function refusalOf(
  { provingCodes, now }: Pick<Line, 'provingCodes' | 'now'>,
  operation: string,
  { status, headers }: Pick<RawHttpAnswer, 'status' | 'headers'>,
  body: unknown,
): PaymentsError {
  const shape = readErrorShape(body)
  const advice = headers['x-should-retry']
  return new PaymentsError({
    ...{ operation, status, replayed: headers['idempotency-replayed']?.toLowerCase() === 'true' },
    kind: provesNothingHappened({ status, shape }, provingCodes) ? 'refused' : 'unknown',
    message: shape?.message ?? `HTTP ${status} without an error that can be read`,
    code: shape?.code,
    limit: amountLimit(headers['x-amount-limit']),
    retryAfterMs: retryAfterMs(headers['retry-after'], now),
    shouldRetry: advice === undefined ? undefined : advice !== 'false',
  })
}

/** Reads an amount in msats from a header; undefined if it contains none. */
function amountLimit(header: string | undefined): bigint | undefined {
  return /^[1-9][0-9]{0,18}$/.test(header ?? '') ? BigInt(header ?? '') : undefined
}

/** Reads the header Retry-After, which is in seconds or a date (RFC 9110). Returns milliseconds. */
function retryAfterMs(header: string | undefined, now: () => number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(at - now(), 0)
}

/** Parses a text as JSON; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
