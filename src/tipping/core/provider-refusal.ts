import { PaymentsError } from '../../payments-api/payments-api.ts'
import { TippingRefusal } from './tipping-refusal.ts'

/** Turns an answer to a mere question, which moves nothing, into a refusal; anything else is passed on. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof PaymentsError)) return error
  return error.kind === 'refused' && error.status !== 503 && error.status !== 429
    ? new TippingRefusal('provider-refused', { message: error.message })
    : new TippingRefusal('provider-unreachable', {})
}
