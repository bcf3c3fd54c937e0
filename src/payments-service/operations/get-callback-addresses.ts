import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'

/** Get Callback Addresses (additive): returns the source addresses of callbacks, as the operator configured them. */
export const getCallbackAddresses = implement(operations.getCallbackAddresses, async ({ parts }) => {
  const ips = [...parts.settings.callbackSourceIps]
  return { message: ips.length === 0 ? NONE : 'Callbacks come from these addresses.', data: { ips } }
})

const NONE =
  'This service names no addresses for its callbacks. Check their signatures instead: webhook-id, webhook-timestamp and webhook-signature.'
