/**
 * Whose fault it is, and whether the request may have been carried out:
 *
 * - `refused`: the provider said no, in a way that proves that nothing happened.
 * - `unreachable`: no connection came about, so nothing was sent.
 * - `malformed`: a success that cannot be read (a missing amount, an unknown unit).
 * - `unknown`: a time limit, a reset, half an answer, HTML, any 500, or any refusal that proves nothing.
 */
export type PaymentsErrorKind = 'refused' | 'unreachable' | 'malformed' | 'unknown'

export interface PaymentsErrorDetails {
  readonly kind: PaymentsErrorKind
  /** The name of the operation. */
  readonly operation: string
  /** The provider's sentence, or a description of the failure. */
  readonly message: string
  /** The HTTP status, if there was an answer. */
  readonly status?: number
  /** The provider's own code, if it gave one. */
  readonly code?: string
  /** The amount that would be possible, in msats, if the provider names it. */
  readonly limit?: bigint | undefined
  /** Milliseconds to wait before the next attempt, if the provider named a time. */
  readonly retryAfterMs?: number
  /** Whether the answer was the stored answer to an earlier request with the same Idempotency-Key. */
  readonly replayed?: boolean
  /** Whether the provider advises for or against another attempt. */
  readonly shouldRetry?: boolean
  readonly cause?: unknown
}

/** The error that a call throws, whatever the server or the network does. */
export class PaymentsError extends Error {
  override readonly name = 'PaymentsError'
  readonly kind: PaymentsErrorKind
  /**
   * Whether this very request may have been carried out. `no` says nothing about an earlier attempt whose outcome is
   * unknown: its own record is the only proof, or, for the same key, an answer that is `replayed`.
   */
  readonly happened: 'no' | 'maybe'
  readonly operation: string
  readonly status: number | undefined
  readonly code: string | undefined
  readonly limit: bigint | undefined
  readonly retryAfterMs: number | undefined
  readonly replayed: boolean
  readonly shouldRetry: boolean | undefined

  constructor(details: PaymentsErrorDetails) {
    super(details.message, { cause: details.cause })
    this.kind = details.kind
    this.happened = details.kind === 'refused' || details.kind === 'unreachable' ? 'no' : 'maybe'
    this.operation = details.operation
    this.status = details.status
    this.code = details.code
    this.limit = details.limit
    this.retryAfterMs = details.retryAfterMs
    this.replayed = details.replayed ?? false
    this.shouldRetry = details.shouldRetry
  }
}

/** An unsuccessful answer of the provider, as far as it could be read. */
export interface RefusalDetails {
  readonly status: number
  /** The body, if it was JSON in the error shape. */
  readonly shape: ErrorShape | undefined
}

export type ProvingCodes = Readonly<Record<string, number>>

export interface ErrorShape {
  readonly message: string
  readonly code: string | undefined
}

/** Reads a body in the shape of an error: a sentence, no success, no data. Undefined for any other body. */
export function readErrorShape(body: unknown): ErrorShape | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { success, message, code, data } = body as Record<string, unknown>
  if (typeof message !== 'string' || message === '') return undefined
  if ((success !== undefined && success !== false) || (data !== undefined && data !== null)) return undefined
  return { message, code: typeof code === 'string' && code !== '' ? code : undefined }
}

/**
 * Statuses that prove, with an error of the API as the body, that nothing happened. 405, 408 and most of the 5xx do not,
 * because a proxy may have sent them.
 */
const provingStatuses = new Set([400, 401, 403, 404, 413, 415, 422, 429, 501])

/** Matches a refusal that reports another request, such as "already paid" or "payment in progress". */
const tellsOfAnother = new RegExp(
  [
    /\balready\b[^.]*\b(paid|settled|sent|processed|completed|executed|exists?)\b/,
    /\bbeing (paid|processed|sent)\b/,
    /\bin[ -]?(progress|flight|transition)\b/,
    /\b(pending|processing|still running|duplicate)\b/,
  ]
    .map((pattern) => pattern.source)
    .join('|'),
  'i',
)

/**
 * Whether an unsuccessful answer proves that nothing happened. `provingCodes` is the closed list of conflicts (409) and
 * outages (503) that do, with their status.
 */
export function provesNothingHappened({ status, shape }: RefusalDetails, provingCodes: ProvingCodes): boolean {
  if (shape === undefined) return false
  if (status === 409 || status === 503) return shape.code !== undefined && provingCodes[shape.code] === status
  if (!provingStatuses.has(status)) return false
  return !tellsOfAnother.test(shape.message) && !tellsOfAnother.test((shape.code ?? '').replaceAll('_', ' '))
}

export interface RawHttpAnswer {
  readonly status: number
  /** The headers by their lower-case names. A header that came twice has its first value. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** No complete answer arrived. `sent` is false only if it is certain that no byte of the request was sent. */
export class NoHttpAnswer extends Error {
  readonly sent: boolean

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, { cause })
    this.sent = sent
  }
}

const connectFailures = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Whether no connection was made. A reset does not count, because it may have come after the request. */
export function neverConnected(error: unknown): boolean {
  // Several addresses of one host were tried: all of them must have failed.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(neverConnected)
  if (typeof error !== 'object' || error === null) return false
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  // The client's own errors: no connection in time, and a connection that closed before the request began.
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_CLOSED') return true
  return typeof code === 'string' && connectFailures.has(code) && (syscall === 'connect' || syscall === 'getaddrinfo')
}

/** Describes why no answer arrived. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
