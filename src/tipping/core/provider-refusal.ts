import { PaymentsError } from '../../payments-api/payments-api.ts'
import { providerWords } from './provider-words.ts'
import { TippingRefusal } from './tipping-refusal.ts'

/**
 * Other providers lack some operations, and report it in one of these ways; ours answers 501 if its node cannot do it.
 */
const NO_SUCH_OPERATION: ReadonlySet<number> = new Set([404, 405, 501])

/**
 * Whether a provider answers that it has no such operation. Check first whether a 404 is about the requested record.
 */
export function lacksOperation(error: unknown): boolean {
  return error instanceof PaymentsError && NO_SUCH_OPERATION.has(error.status ?? 0)
}

/** Turns an answer to a request that moves nothing into a refusal; passes on anything else. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof PaymentsError)) return error
  return error.kind === 'refused' && error.status !== 503 && error.status !== 429
    ? new TippingRefusal('provider-refused', { message: providerWords(error) })
    : new TippingRefusal('provider-unreachable', {})
}
