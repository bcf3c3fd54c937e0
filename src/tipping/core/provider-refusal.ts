import { PaymentsError } from '../../payments-api/payments-api.ts'
import { providerWords } from './provider-words.ts'
import { TippingRefusal } from './tipping-refusal.ts'

/**
 * The HTTP statuses with which providers report that they lack an operation. The bundled service answers 501 if its
 * node lacks the ability.
 */
const NO_SUCH_OPERATION: ReadonlySet<number> = new Set([404, 405, 501])

/**
 * Whether an error means that the provider lacks this operation. Callers must first make sure that a 404 is not about
 * the requested record.
 */
export function lacksOperation(error: unknown): boolean {
  return error instanceof PaymentsError && NO_SUCH_OPERATION.has(error.status ?? 0)
}

/** Converts a provider's error to a refusal, for a request that moves nothing. Returns any other error unchanged. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof PaymentsError)) return error
  return error.kind === 'refused' && error.status !== 503 && error.status !== 429
    ? new TippingRefusal('provider-refused', { message: providerWords(error) })
    : new TippingRefusal('provider-unreachable', {})
}
