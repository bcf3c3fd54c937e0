import { InsufficientFunds, LedgerUnavailable } from '../../ledger/ledger.ts'
import { HttpProblem } from '../../lib/http/http-problem.ts'
import { formatSats } from '../../lib/money/amount.ts'
import { AMOUNT_LIMIT_HEADER, type RefusalCode, refusals } from '../../payments-api/payments-api.ts'

/**
 * The error by which an operation refuses: one closed family, named by the contract's codes. Inside a ledger change it
 * rolls the change back. The HTTP server converts it to the error's JSON, and the code determines the status.
 */
export class ServiceRefusal extends HttpProblem {
  declare readonly code: RefusalCode
  /** The limit in msats, if the amount is wrong. */
  readonly limit: bigint | undefined

  /** `message` is a sentence for a person: what is wrong, and what to do. */
  constructor(code: RefusalCode, message: string, headers: Record<string, string> = {}, limit?: bigint) {
    super(refusals[code].status, code, message, { ...adviceFor(code), ...limitHeader(limit), ...headers })
    this.name = 'ServiceRefusal'
    this.limit = limit
  }
}

/** Programs read the limit in a header, because the interface defines the error's body. */
function limitHeader(limit: bigint | undefined): Record<string, string> {
  return limit === undefined ? {} : { [AMOUNT_LIMIT_HEADER]: limit.toString() }
}

/**
 * Returns a header for a conflict that does not prove that nothing happened, and that a repeated request would not
 * resolve.
 */
export function adviceFor(code: RefusalCode): Record<string, string> {
  const ambiguous = refusals[code].status === 409 && !('proves' in refusals[code]) && code !== 'still_running'
  return ambiguous ? { 'x-should-retry': 'false' } : {}
}

/** Translates a ledger error for the caller. Undefined for an unexpected error, which is a bug and never a refusal. */
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

/** The text for a database that cannot be read. Nothing was done. */
export const UNREADABLE = 'The database cannot be read right now'

/** Returns the refusal for a node, disk or database that could not be reached, when certainly nothing happened. */
export function nothingSent(what: string, cause?: unknown): ServiceRefusal {
  const refusal = new ServiceRefusal('nothing_sent', `${what}; nothing happened. Try again in a moment.`, {
    'retry-after': '1',
  })
  refusal.cause = cause
  return refusal
}
