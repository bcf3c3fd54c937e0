import { FetchRefused } from '../../../lib/http/outgoing-error.ts'
import { readOutgoingUrl } from '../../../lib/http/outgoing-url.ts'
import { ServiceRefusal } from '../../core/service-refusal.ts'
import type { CallbackWays } from './callback-ways.ts'

/**
 * Throws ServiceRefusal (invalid_field) for a `callbackUrl` that the outbox would never call, so that the caller learns
 * this now. What a host name leads to is checked at each delivery. An empty `callbackUrl` is permitted: no callback is
 * sent.
 */
export function refuseDeadEnd(
  { callbacks }: { readonly callbacks: Pick<CallbackWays, 'mayReachLoopback'> },
  projectId: string,
  callbackUrl: string,
): void {
  if (callbackUrl === '') return
  try {
    readOutgoingUrl(callbackUrl, callbacks.mayReachLoopback(projectId, callbackUrl))
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error
    const refusal = new ServiceRefusal(
      'invalid_field',
      `callbackUrl can never be reached: ${error.message}. Give an https address on the public Internet.`,
    )
    refusal.cause = error
    throw refusal
  }
}
