import type { PaymentsError } from '../../../payments-api/payments-api.ts'
import { type Next, unread } from './poller.ts'

/** Refusals about the caller or the moment, not about the requested record. */
const OF_THE_CALLER = [401, 403, 429, 503]

/** Whether an error is an answer about the requested record (unknown, unreadable), so the request did not fail. */
export function isAnswer({ kind, status }: PaymentsError): boolean {
  return kind === 'refused' && !OF_THE_CALLER.includes(status ?? 0)
}

/** Handles a poll that ended in an error: it counts if that was an answer. */
export function afterError(error: PaymentsError, next: Next): Next {
  return isAnswer(error) ? next : unread(next)
}
