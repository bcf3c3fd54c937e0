import { InsufficientFunds, LedgerUnavailable } from '../../ledger/ledger.ts'
import { HttpProblem } from '../../lib/http/http-problem.ts'
import { formatSats } from '../../lib/money/amount.ts'
import { AMOUNT_LIMIT_HEADER, type RefusalCode, refusals } from '../../payments-api/payments-api.ts'

/**
 * The error with which an operation says no: one closed family, named by the contract's codes. Thrown inside a ledger
 * change it rolls that change back. The HTTP server turns it into the error shape; the status follows from the code.
 */
export class ServiceRefusal extends HttpProblem {
  declare readonly code: RefusalCode
  /** The limit in msats, if an amount is the fault. */
  readonly limit: bigint | undefined

  /** `message` is a sentence for a person: what is wrong and what to do. */
  constructor(code: RefusalCode, message: string, headers: Record<string, string> = {}, limit?: bigint) {
    super(refusals[code].status, code, message, { ...adviceFor(code), ...limitHeader(limit), ...headers })
    this.name = 'ServiceRefusal'
    this.limit = limit
  }
}

/** Programs read the possible values there; the error's body is the interface's. */
function limitHeader(limit: bigint | undefined): Record<string, string> {
  return limit === undefined ? {} : { [AMOUNT_LIMIT_HEADER]: limit.toString() }
}

/** A header for a conflict that does not prove that nothing happened, and that asking again would not end. */
export function adviceFor(code: RefusalCode): Record<string, string> {
  const ambiguous = refusals[code].status === 409 && !('proves' in refusals[code]) && code !== 'still_running'
  return ambiguous ? { 'x-should-retry': 'false' } : {}
}

/** Translates a ledger error for the caller; undefined for anything unexpected, which is a bug and never a refusal. */
export function asRefusal(error: unknown): ServiceRefusal | undefined {
  if (error instanceof ServiceRefusal) return error
  if (error instanceof InsufficientFunds && error.account.kind === 'wallet') {
    return new ServiceRefusal(
      'insufficient_funds',
      `The wallet holds ${formatSats(error.balance)} sats; ${formatSats(error.missing)} more are needed.`,
    )
  }
  if (error instanceof LedgerUnavailable) return nothingSent('The books cannot be written just now', error)
  return undefined
}

/** Text for a database that cannot be read; nothing was done. */
export const UNREADABLE = 'The database cannot be read just now'

/** Node, disk or database could not be reached, and it is certain that nothing happened. */
export function nothingSent(what: string, cause?: unknown): ServiceRefusal {
  const refusal = new ServiceRefusal('nothing_sent', `${what}; nothing happened. Try again in a moment.`, {
    'retry-after': '1',
  })
  refusal.cause = cause
  return refusal
}
