import { InsufficientFunds, LedgerUnavailable } from '../../ledger/ledger.ts'
import { HttpProblem } from '../../lib/http/http-problem.ts'
import { formatSats } from '../../lib/money/amount.ts'
import { AMOUNT_LIMIT_HEADER, type RefusalCode, refusals } from '../../payments-api/payments-api.ts'

/**
 * The error with which an operation refuses a request. Each refusal has one of the contract's codes, which determines
 * the HTTP status. Inside a ledger change, the error rolls the change back. The HTTP server converts the error to JSON.
 */
export class ServiceRefusal extends HttpProblem {
  declare readonly code: RefusalCode
  /** The limit in msats, if the amount is too high or too low. */
  readonly limit: bigint | undefined

  /** Creates a refusal. `message` is a sentence for a person: what is wrong, and what to do. */
  constructor(code: RefusalCode, message: string, headers: Record<string, string> = {}, limit?: bigint) {
    super(refusals[code].status, code, message, { ...adviceFor(code), ...limitHeader(limit), ...headers })
    this.name = 'ServiceRefusal'
    this.limit = limit
  }
}

/** Returns the header with the limit, which programs read there because the body of an error has no field for it. */
function limitHeader(limit: bigint | undefined): Record<string, string> {
  return limit === undefined ? {} : { [AMOUNT_LIMIT_HEADER]: limit.toString() }
}

/**
 * Returns a header that advises against a retry, for a conflict that does not prove that nothing happened, and that a
 * repeated request would not resolve. Returns no header for any other refusal.
 */
export function adviceFor(code: RefusalCode): Record<string, string> {
  const ambiguous = refusals[code].status === 409 && !('proves' in refusals[code]) && code !== 'still_running'
  return ambiguous ? { 'x-should-retry': 'false' } : {}
}

/**
 * Converts a ledger error to a refusal. Returns undefined for an unexpected error, which is a bug and never a refusal.
 */
export function asRefusal(error: unknown): ServiceRefusal | undefined {
  if (error instanceof ServiceRefusal) return error
  if (error instanceof InsufficientFunds && error.account.kind === 'wallet') {
    return new ServiceRefusal(
      'insufficient_funds',
      `The wallet holds ${formatSats(error.balance)} sats; ${formatSats(error.missing)} more are needed.`,
    )
  }
  if (error instanceof LedgerUnavailable) return nothingSent('The books cannot be written right now', error)
  return undefined
}

/** The reason for a refusal if the database could not be read, so nothing was done. */
export const UNREADABLE = 'The database cannot be read right now'

/**
 * Returns the refusal for a node, disk or database that could not be reached, if it is certain that nothing happened.
 */
export function nothingSent(what: string, cause?: unknown): ServiceRefusal {
  const refusal = new ServiceRefusal('nothing_sent', `${what}; nothing happened. Try again in a moment.`, {
    'retry-after': '1',
  })
  refusal.cause = cause
  return refusal
}
