import { PaymentsError } from '../../payments-api/payments-api.ts'
import { providerWords } from './provider-words.ts'
import { TippingRefusal } from './tipping-refusal.ts'

/**
 * The HTTP statuses with which other providers report a missing operation. Our service answers 501 if its node lacks
 * the ability.
 */
const NO_SUCH_OPERATION: ReadonlySet<number> = new Set([404, 405, 501])

/**
 * Whether an error means that the provider lacks this operation. Check first whether a 404 is about the requested
 * record.
 */
export function lacksOperation(error: unknown): boolean {
  return error instanceof PaymentsError && NO_SUCH_OPERATION.has(error.status ?? 0)
}

/** If a request moves nothing, converts its error to a refusal. Passes other errors on. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof PaymentsError)) return error
  return error.kind === 'refused' && error.status !== 503 && error.status !== 429
    ? new TippingRefusal('provider-refused', { message: providerWords(error) })
    : new TippingRefusal('provider-unreachable', {})
}
