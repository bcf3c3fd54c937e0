import { TippingRefusal } from '../../core/tipping-refusal.ts'

/** Returns why there is no charge: in the provider's words, or that the provider could not be reached. */
export function notCreated(reason: string | null): TippingRefusal {
  return reason === null
    ? new TippingRefusal('provider-unreachable', {})
    : new TippingRefusal('provider-refused', { message: reason })
}
