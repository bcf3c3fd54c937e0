/** The reason why our rules forbid a request, or its redirect. */
export type RefusalReason = 'not-a-url' | 'scheme' | 'credentials' | 'port' | 'address' | 'redirects'

/** The reason why a permitted request failed. */
export type FailureReason =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'aborted'
  | 'too-large'
  | 'compressed'
  | 'malformed'
  | 'busy'
  | 'broken'

/** The error of an outgoing request without a usable answer: the request was either refused here or failed. */
export abstract class OutgoingError extends Error {
  abstract readonly reason: RefusalReason | FailureReason
  /** Whether anything may have reached a server. If false, certainly nothing did. */
  readonly sent: boolean

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.sent = sent
  }
}

/** The error for a forbidden address. Trying again will not help. */
export class FetchRefused extends OutgoingError {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string, sent = false) {
    super(message, sent)
    this.name = 'FetchRefused'
    this.reason = reason
  }
}

/** The error for a permitted request without a usable answer, for example because the server could not be reached. */
export class FetchFailed extends OutgoingError {
  readonly reason: FailureReason

  constructor(reason: FailureReason, message: string, sent: boolean, cause?: unknown) {
    super(message, sent, cause)
    this.name = 'FetchFailed'
    this.reason = reason
  }
}

/** Name servers' codes for a name that does not exist or has no address. */
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Whether a request failed because the host's name does not exist, according to name servers. False if the name servers
 * were silent.
 */
export function isNoSuchHost({ reason, cause }: OutgoingError): boolean {
  return reason === 'dns' && cause instanceof Error && 'code' in cause && NO_SUCH_NAME.has(String(cause.code))
}
