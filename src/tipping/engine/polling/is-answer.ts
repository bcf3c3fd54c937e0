import type { PaymentsError } from '../../../payments-api/payments-api.ts'
import { type Next, unread } from './poller.ts'

/** The status codes of refusals that concern the caller or the moment, not the requested record. */
const OF_THE_CALLER = [401, 403, 429, 503]

/**
 * Whether an error is an answer about the requested record (such as unknown or unreadable), so that the request itself
 * worked.
 */
export function isAnswer({ kind, status }: PaymentsError): boolean {
  return kind === 'refused' && !OF_THE_CALLER.includes(status ?? 0)
}

/** Returns when to poll again after a poll that ended in an error. The poll counts if the error was an answer. */
export function afterError(error: PaymentsError, next: Next): Next {
  return isAnswer(error) ? next : unread(next)
}
