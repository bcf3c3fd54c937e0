import { TippingRefusal } from '../../core/tipping-refusal.ts'

/**
 * Returns the refusal that explains why there is no charge: the provider's own reason, or that the provider could not
 * be reached.
 */
export function notCreated(reason: string | null): TippingRefusal {
  return reason === null
    ? new TippingRefusal('provider-unreachable', {})
    : new TippingRefusal('provider-refused', { message: reason })
}
