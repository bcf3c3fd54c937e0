/** Why a request was not made, or not continued at a redirect: our rules forbid it. */
export type RefusalReason = 'not-a-url' | 'scheme' | 'credentials' | 'port' | 'address' | 'redirects'

/** Why a permitted request failed. */
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

/** An outgoing request ended without an answer, in one of two ways. */
export abstract class OutgoingError extends Error {
  abstract readonly reason: RefusalReason | FailureReason
  /** Whether anything may have reached a server. If false, certainly nothing did. */
  readonly sent: boolean

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.sent = sent
  }
}

/** The address is forbidden, so trying again will not help. */
export class FetchRefused extends OutgoingError {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string, sent = false) {
    super(message, sent)
    this.name = 'FetchRefused'
    this.reason = reason
  }
}

/** The other side could not be reached, or gave no usable answer. */
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

/** Whether the host's name does not exist, according to name servers. They may also have been silent. */
export function isNoSuchHost({ reason, cause }: OutgoingError): boolean {
  return reason === 'dns' && cause instanceof Error && 'code' in cause && NO_SUCH_NAME.has(String(cause.code))
}
