import type { Clock } from '../../../lib/clock.ts'
import { FetchRefused, type GuardedFetch } from '../../../lib/http/guarded-fetch.ts'
import { signCallback } from '../../../payments-api/payments-api.ts'
import type { Callback } from '../../generated/client.ts'

/** The time limit for a receiver's whole answer. */
const TIMEOUT_MS = 10_000

export type Delivery =
  | { readonly ok: true }
  /**
   * A failed delivery. `refused`: our rules forbid this address. `hopeless`: they always will, so another attempt
   * cannot help.
   */
  | { readonly ok: false; readonly reason: string; readonly refused: boolean; readonly hopeless: boolean }

/**
 * POSTs a callback once, signed with the project's active secrets (Standard Webhooks). Any 2xx is success, whatever its
 * content. Never throws.
 */
export async function deliverCallback(
  clock: Clock,
  fetch: GuardedFetch,
  callback: Pick<Callback, 'messageId' | 'url' | 'body'>,
  secrets: readonly string[],
): Promise<Delivery> {
  const { messageId: id, url, body } = callback
  try {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Satchel-Callbacks/1',
      ...signCallback({ id, body, secrets, clock }),
    }
    const request = { method: 'POST', headers, body, timeoutMs: TIMEOUT_MS, statusOnly: true } as const
    const { status } = await fetch(url, request)
    if (status >= 200 && status < 300) return { ok: true }
    return { ok: false, reason: `HTTP ${status}`, refused: false, hopeless: false }
  } catch (error) {
    const refused = error instanceof FetchRefused
    // The address behind a name may change, but the rest of a URL does not.
    const hopeless = refused && error.reason !== 'address'
    return { ok: false, reason: error instanceof Error ? error.message : String(error), refused, hopeless }
  }
}
